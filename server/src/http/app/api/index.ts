import type { Route } from '../../route.ts';
import { byEmailRoutes } from './by-email.ts';
import { importRoutes } from './imports.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { meRoutes } from './me.ts';
import { memberRoutes } from './members.ts';
import { ownershipRoutes } from './ownership.ts';
import { passwordRoutes } from './password.ts';
import { platformRoutes } from './platforms.ts';
import { podcastsRoute } from './podcasts.ts';
import { sessionRoutes } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { signUpRoutes } from './sign-up.ts';
import { siteRoutes } from './sites.ts';
import { teamKeyRoutes } from './team-keys.ts';

/** The private API of the app: JSON, with the session cookie. */
export const appApi: readonly Route[] = [
  ...signUpRoutes,
  ...signInRoutes,
  ...passwordRoutes,
  ...meRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  podcastsRoute,
  ...platformRoutes,
  ...importRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...byEmailRoutes,
  ...teamKeyRoutes,
  ...ownershipRoutes,
  ...siteRoutes,
];
