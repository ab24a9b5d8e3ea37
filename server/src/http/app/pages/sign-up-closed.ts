import type { FastifyReply } from 'fastify';
import { appPages } from '../../../domain/foundation/addresses.ts';
import type { Page } from '../../pages/page.ts';
import { link, type PageWords } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
import { createFrontPage } from './frame.ts';

/** Replaces all sign-up pages when the operator has closed sign-up. */
export function createSignUpClosedPage(words: PageWords, reply: FastifyReply): Page {
  reply.code(403);
  return createFrontPage({
    words,
    title: words.say('Invitation only'),
    body: html`<p>${words.write('New accounts are by invitation only. Please ask the operator of this service, or the team of the podcast that you work on.')}</p>
<p>${words.write('Already have an account? <a>Sign in</a>', { a: link(appPages.signIn) })}</p>
`,
  });
}
