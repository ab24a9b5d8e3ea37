import type { Route } from '../../route.ts';
import { episodeByIdRoute, episodeRoute, latestEpisodeRoute } from './episode.ts';
import { episodesRoute } from './episodes.ts';
import { oembedRoute } from './oembed.ts';
import { podcastRoute } from './podcast.ts';

/** Keyless reads of what is published. */
export const publicRoutes: readonly Route[] = [
  podcastRoute,
  episodesRoute,
  latestEpisodeRoute,
  episodeRoute,
  episodeByIdRoute,
  oembedRoute,
];
