import type { Route } from '../../route.ts';
import {
  breakdownRoute,
  episodeAnalyticsRoute,
  episodeDownloadsRoute,
  platformsRoute,
  podcastDownloadsRoute,
} from './keyed-analytics.ts';
import { episodeRoute, episodesRoute } from './keyed-episodes.ts';
import { meRoute } from './keyed-me.ts';
import { creditsRoute, peopleRoute } from './keyed-people.ts';
import { podcastRoute, podcastsRoute } from './keyed-podcasts.ts';
import { showNotesRoute, transcriptRoute } from './keyed-texts.ts';

/** Routes under /v1/me: what members see of their podcasts. */
export const keyedRoutes: readonly Route[] = [
  meRoute,
  podcastsRoute,
  podcastRoute,
  peopleRoute,
  episodesRoute,
  episodeRoute,
  showNotesRoute,
  transcriptRoute,
  creditsRoute,
  podcastDownloadsRoute,
  episodeDownloadsRoute,
  episodeAnalyticsRoute,
  breakdownRoute,
  platformsRoute,
];
