import type { Route } from '../../route.ts';
import {
  breakdownRoute,
  episodeAnalyticsRoute,
  episodeDownloadsRoute,
  platformsRoute,
  podcastDownloadsRoute,
} from './analytics/downloads.ts';
import { episodeRoute, episodesRoute } from './episodes.ts';
import { meRoute } from './me.ts';
import { creditsRoute, peopleRoute } from './people.ts';
import { podcastRoute, podcastsRoute } from './podcasts.ts';
import { showNotesRoute, transcriptRoute } from './texts.ts';

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
