import { appPages } from '../../../domain/foundation/addresses.ts';
import { findEmails } from '../../../domain/foundation/emails/index.ts';
import type { Page } from '../../pages/page.ts';
import { type PageWords, pageWords } from '../../pages/page-words.ts';
import { type Html, html } from '../../responses/html.ts';
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
    const words = pageWords(ctx.language ?? 'en');
    const folder = findEmails(ctx.installation);
    return pageResponse(folder === undefined ? renderSent(words) : renderUnsent(words, folder));
  },
});

function renderSent(words: PageWords): Page {
  return createFrontPage({
    words,
    title: words.say('Check your email'),
    body: html`<p>${words.write('We sent you an email with a link. It works once and expires soon; the email says when. You can close this page.')}</p>
<p>${words.write('No email after a few minutes? Check your spam folder, and make sure that you typed the address correctly.')}</p>
${renderWayBack(words)}`,
  });
}

function renderUnsent(words: PageWords, folder: string): Page {
  return createFrontPage({
    words,
    title: words.say('Find your email'),
    body: html`<p>${words.write('Your email has a link. It works once and expires soon; the email says when. You can close this page.')}</p>
<p>${words.write('This installation does not send emails yet, because <code>SMTP_URL</code> is not set. Its operator finds the message as the newest file in <code>{folder}</code>.', { folder })}</p>
${renderWayBack(words)}`,
  });
}

function renderWayBack(words: PageWords): Html {
  return html`<p><a href="${appPages.signIn}">${words.say('Back to sign-in')}</a></p>
`;
}
