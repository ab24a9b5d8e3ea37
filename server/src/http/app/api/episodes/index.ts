import type { Route } from '../../../route.ts';
import { episodeBulkRoute, episodeRestoreRoute } from './bulk.ts';
import { episodeChapterRoutes } from './chapters.ts';
import { episodeRoutes } from './episode.ts';
import { episodeFileRoutes } from './files.ts';
import { episodeListRoute } from './list.ts';
import { episodePeopleRoutes } from './people.ts';
import { previewLinkRoutes } from './preview-link.ts';
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
