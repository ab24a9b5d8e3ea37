import { appPages } from '../../../domain/foundation/addresses.ts';
import { findEmails } from '../../../domain/foundation/emails/index.ts';
import { html } from '../../responses/html.ts';
import { defineRoute } from '../../route.ts';
import { forAnyRequester } from '../requester.ts';
import { pageResponse } from '../response.ts';
import { createFrontPage } from './frame.ts';

/** The same whether or not the address has an account, so that strangers do not learn it. */
export const emailSentRoute = defineRoute({
  ...forAnyRequester,
  method: 'GET',
  path: appPages.emailSent,
  async handle(_http, { caller: { ctx } }) {
    const folder = findEmails(ctx.installation);
    return pageResponse(
      createFrontPage({
        title: folder === undefined ? 'Check your email' : 'Find your email',
        body: html`<p>${folder === undefined ? 'We sent you an email with a link.' : 'Your email has a link.'} It works once and expires soon; the email says when.
You can close this page.</p>
${
  folder === undefined
    ? html`<p>No email after a few minutes? Check your spam folder, and make sure that you typed the address
correctly.</p>`
    : html`<p>This installation does not send emails yet, because <code>SMTP_URL</code> is not set. Whoever runs it
finds the message as the newest file in <code>${folder}</code>.</p>`
}
<p><a href="${appPages.signIn}">Back to sign-in</a></p>
`,
      }),
    );
  },
});
