import type { FastifyReply } from 'fastify';
import { appPages } from '../../../domain/foundation/addresses.ts';
import type { Page } from '../../pages/page.ts';
import { html } from '../../responses/html.ts';
import { createFrontPage } from './frame.ts';

/** Replaces all sign-up pages when the operator has closed sign-up. */
export function createSignUpClosedPage(reply: FastifyReply): Page {
  reply.code(403);
  return createFrontPage({
    title: 'Invitation only',
    body: html`<p>New accounts are by invitation only. Please ask the operator of this service, or the team of the
podcast that you work on.</p>
<p>Already have an account? <a href="${appPages.signIn}">Sign in</a></p>
`,
  });
}
