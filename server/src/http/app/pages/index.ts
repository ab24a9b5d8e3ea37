import { appPages as addresses } from '../../../domain/foundation/addresses.ts';
import { sessionCaching } from '../../responses/payload.ts';
import { defineRoute, type Route } from '../../route.ts';
import { forAnyRequester } from '../requester.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { confirmSignUpPage } from './confirm-sign-up.ts';
import { connectPage } from './connect/connect.ts';
import { emailSentRoute } from './email-sent.ts';
import { forgotPage } from './forgot.ts';
import { resetPage } from './reset.ts';
import { signInPage, signOutAction } from './sign-in.ts';
import { signUpPage } from './sign-up.ts';
import { invitationPages } from './team/invitation.ts';
import { ownershipPages } from './team/ownership.ts';

/** Other addresses of the app. */
const homeRoutes = ['/app/', addresses.podcasts].map((path) =>
  defineRoute({
    ...forAnyRequester,
    method: 'GET',
    path,
    handle: async () => ({
      kind: 'redirect',
      status: 301,
      location: addresses.home,
      caching: sessionCaching,
    }),
  }),
);

/** Plain account pages that work without scripts. */
export const appPages: readonly Route[] = [
  ...homeRoutes,
  ...signUpPage,
  emailSentRoute,
  ...confirmSignUpPage,
  ...signInPage,
  signOutAction,
  ...forgotPage,
  ...resetPage,
  ...confirmEmailPage,
  ...invitationPages,
  ...ownershipPages,
  ...connectPage,
];
