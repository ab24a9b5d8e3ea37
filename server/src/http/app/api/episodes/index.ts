import type { Route } from '../../../route.ts';
import { episodeChapterRoutes } from './chapters.ts';
import { episodePeopleRoutes } from './credits.ts';
import { episodeFileRoutes, episodeRoutes, previewLinkRoutes } from './episode.ts';
import { episodeBulkRoute, episodeListRoute, episodeRestoreRoute } from './list.ts';
import { episodeStatusRoutes } from './status.ts';
import { episodeTranscriptRoutes } from './transcript.ts';

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
