import type { Route } from '../../route.ts';
import { accountRoutes, meRoutes } from './account.ts';
import { analyticsRoutes } from './analytics.ts';
import { allEpisodeRoutes } from './episodes/index.ts';
import { replacementRoutes } from './episodes/replacement.ts';
import { eventRoutes } from './events.ts';
import { homeRoute } from './home.ts';
import { importRoutes } from './imports.ts';
import { keyRoutes } from './keys.ts';
import { imageRoute, memberAudioRoute } from './member-files.ts';
import { platformRoutes } from './platforms.ts';
import { podcastsRoute } from './podcasts.ts';
import { sessionRoutes, signInRoutes } from './sessions.ts';
import { showRoutes } from './shows/index.ts';
import { siteRoutes } from './sites.ts';
import { invitationRoutes, memberRoutes, ownershipRoutes, teamKeyRoutes } from './team.ts';
import { uploadRoutes, uploadUseRoutes } from './uploads.ts';

/** The private API of the app: JSON, with the session cookie. */
export const appApi: readonly Route[] = [
  ...signInRoutes,
  ...meRoutes,
  ...accountRoutes,
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
