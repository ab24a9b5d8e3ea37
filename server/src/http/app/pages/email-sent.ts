import { appPages } from '../../../domain/addresses.ts';
import { html } from '../../html.ts';
import { defineRoute } from '../../route.ts';
import { answerPage } from '../answers.ts';
import { forAnyRequester } from '../requester.ts';
import { createFrontPage } from './frame.ts';

/** The same whether or not the address has an account, so that strangers do not learn it. */
const page = createFrontPage({
  title: 'Check your email',
  body: html`<p>We sent you an email with a link. It works once, and the email says until
when. You can close this page.</p>
<p>No email after a few minutes? Check your spam folder, and make sure that you typed the address
correctly.</p>
<p><a href="${appPages.signIn}">Back to sign-in</a></p>
`,
});

export const emailSentRoute = defineRoute({
  ...forAnyRequester,
  method: 'GET',
  path: appPages.emailSent,
  handle: async () => answerPage(page),
});
