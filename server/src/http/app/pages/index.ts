import { sessionCaching } from '../../payload.ts';
import { defineRoute, type Route } from '../../route.ts';
import { seeOther } from '../answers.ts';
import { forAnyRequester } from '../requester.ts';
import { defaultReturnPath } from '../return-path.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { confirmSignUpPage } from './confirm-sign-up.ts';
import { connectPage } from './connect/connect.ts';
import { emailSentRoute } from './email-sent.ts';
import { forgotPage } from './forgot.ts';
import { resetPage } from './reset.ts';
import { settingsPages } from './settings/index.ts';
import { signInPage } from './sign-in.ts';
import { signOutAction } from './sign-out.ts';
import { signUpPage } from './sign-up.ts';
import { sitePages } from './sites/index.ts';
import { invitationPages } from './team/invitation.ts';
import { ownershipPages } from './team/ownership.ts';
import { podcastsPage } from './team/podcasts.ts';

const beginning = defineRoute({
  ...forAnyRequester,
  method: 'GET',
  path: '/app',
  handle: async () => seeOther(defaultReturnPath),
});

const slashRoute = defineRoute({
  ...forAnyRequester,
  method: 'GET',
  path: '/app/',
  handle: async () => ({
    kind: 'redirect',
    status: 301,
    location: '/app',
    caching: sessionCaching,
  }),
});

/** Plain account pages that work without scripts. */
export const appPages: readonly Route[] = [
  beginning,
  slashRoute,
  ...signUpPage,
  emailSentRoute,
  ...confirmSignUpPage,
  ...signInPage,
  signOutAction,
  ...forgotPage,
  ...resetPage,
  ...confirmEmailPage,
  ...settingsPages,
  podcastsPage,
  ...invitationPages,
  ...ownershipPages,
  ...sitePages,
  ...connectPage,
];
