import type { Route } from '../../../route.ts';
import { episodeChapterRoutes } from './chapter-endpoints.ts';
import { episodePeopleRoutes } from './credit-endpoints.ts';
import { episodeFileRoutes, episodeRoutes, previewLinkRoutes } from './episode-endpoints.ts';
import {
  episodeBulkRoute,
  episodeListRoute,
  episodeRestoreRoute,
} from './episode-list-endpoints.ts';
import { episodeStatusRoutes } from './episode-status-endpoints.ts';
import { episodeTranscriptRoutes } from './transcript-endpoints.ts';

export const allEpisodeRoutes: readonly Route[] = [
  episodeListRoute,
  episodeBulkRoute,
  episodeRestoreRoute,
  ...episodeRoutes,
  ...episodeStatusRoutes,
  ...episodeFileRoutes,
  ...episodePeopleRoutes,
  ...episodeChapterRoutes,
  ...episodeTranscriptRoutes,
  ...previewLinkRoutes,
];
