import type { FastifyReply } from 'fastify';
import { html } from '../../html.ts';
import type { Page } from '../../pages/page.ts';
import { createFrontPage } from './frame.ts';

/** In the place of every page that signs up, where the operator has closed that. */
export function createSignUpClosedPage(reply: FastifyReply): Page {
  reply.code(403);
  return createFrontPage({
    title: 'By invitation',
    body: html`<p>New accounts are made by invitation here. Ask whoever runs this service, or the people of
the podcast that you work on.</p>
<p>You have an account? <a href="/app/sign-in">Sign in</a></p>
`,
  });
}
