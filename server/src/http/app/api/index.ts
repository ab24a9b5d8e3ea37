import type { Route } from '../../route.ts';
import { accountRoutes, meRoutes } from './account-endpoints.ts';
import { accountExportRoute } from './account-export-endpoint.ts';
import { analyticsRoutes } from './analytics-endpoints.ts';
import { allEpisodeRoutes } from './episodes/index.ts';
import { replacementRoutes } from './episodes/replacement-endpoints.ts';
import { eventRoutes } from './events-endpoints.ts';
import { homeRoute } from './home-endpoints.ts';
import { importRoutes } from './imports-endpoints.ts';
import { keyRoutes } from './keys-endpoints.ts';
import { imageRoute, memberAudioRoute } from './member-files-endpoints.ts';
import { platformRoutes } from './platforms-endpoints.ts';
import { podcastsRoute } from './podcasts-endpoints.ts';
import { sessionRoutes, signInRoutes } from './sessions-endpoints.ts';
import { showRoutes } from './shows/index.ts';
import { siteRoutes } from './sites-endpoints.ts';
import {
  invitationRoutes,
  memberRoutes,
  ownershipRoutes,
  teamKeyRoutes,
} from './team-endpoints.ts';
import { uploadRoutes, uploadUseRoutes } from './uploads-endpoints.ts';

/** The private API of the app: JSON, with the session cookie. */
export const appApi: readonly Route[] = [
  ...signInRoutes,
  ...meRoutes,
  ...accountRoutes,
  accountExportRoute,
  ...sessionRoutes,
  ...keyRoutes,
  homeRoute,
  podcastsRoute,
  ...showRoutes,
  imageRoute,
  ...analyticsRoutes,
  ...replacementRoutes,
  ...allEpisodeRoutes,
  ...platformRoutes,
  ...importRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...teamKeyRoutes,
  ...ownershipRoutes,
  ...siteRoutes,
  ...uploadRoutes,
  ...uploadUseRoutes,
  memberAudioRoute,
  ...eventRoutes,
];
