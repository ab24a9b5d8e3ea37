import type { Route } from '../../route.ts';
import { accountRoutes } from './account.ts';
import { analyticsRoutes } from './analytics.ts';
import { allEpisodeRoutes } from './episodes/index.ts';
import { replacementRoutes } from './episodes/replacement.ts';
import { eventRoutes } from './events.ts';
import { homeRoute } from './home.ts';
import { imageRoute } from './images.ts';
import { importRoutes } from './imports.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { meRoutes } from './me.ts';
import { memberAudioRoute } from './member-audio.ts';
import { memberRoutes } from './members.ts';
import { ownershipRoutes } from './ownership.ts';
import { platformRoutes } from './platforms.ts';
import { podcastsRoute } from './podcasts.ts';
import { sessionRoutes, signInRoutes } from './sessions.ts';
import { showRoutes } from './shows/index.ts';
import { siteRoutes } from './sites.ts';
import { teamKeyRoutes } from './team-keys.ts';
import { uploadUseRoutes } from './upload-uses.ts';
import { uploadRoutes } from './uploads.ts';

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
