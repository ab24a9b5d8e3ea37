import type { Route } from '../../route.ts';
import { oembedRoute } from './oembed.ts';
import { episodeByIdRoute, episodeRoute, latestEpisodeRoute } from './public-episode.ts';
import { episodesRoute } from './public-episodes.ts';
import { podcastRoute } from './public-podcast-route.ts';

/** Keyless reads of what is published. */
export const publicRoutes: readonly Route[] = [
  podcastRoute,
  episodesRoute,
  latestEpisodeRoute,
  episodeRoute,
  episodeByIdRoute,
  oembedRoute,
];
