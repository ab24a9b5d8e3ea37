import type { Route } from '../../route.ts';
import { byLetterRoutes } from './by-letter.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { meRoutes } from './me.ts';
import { memberRoutes } from './members.ts';
import { ownershipRoutes } from './ownership.ts';
import { passwordRoutes } from './password.ts';
import { podcastsRoute } from './podcasts.ts';
import { sessionRoutes } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { signUpRoutes } from './sign-up.ts';
import { teamKeyRoutes } from './team-keys.ts';

/** The private API of the app: JSON, for whoever is signed in with its cookie. */
export const appApi: readonly Route[] = [
  ...signUpRoutes,
  ...signInRoutes,
  ...passwordRoutes,
  ...meRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  podcastsRoute,
  ...memberRoutes,
  ...invitationRoutes,
  ...byLetterRoutes,
  ...teamKeyRoutes,
  ...ownershipRoutes,
];
