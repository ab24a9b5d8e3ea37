import type { FastifyReply } from 'fastify';
import type { ErrorDetail } from '../../../../domain/foundation/errors.ts';
import { html } from '../../../html.ts';
import type { Page } from '../../../pages/page.ts';
import { createFrontPage } from '../frame.ts';

/** Lists the problems. It has no links, because no address of a refused request can be trusted. */
export function createRefusedPage(reply: FastifyReply, problems: readonly ErrorDetail[]): Page {
  reply.code(400);
  return createFrontPage({
    title: 'This request is wrong',
    body: html`<p>A website sent you here to be connected with your podcasts, but its request is wrong. Nothing was
connected.</p>
<dl class="pairs">
${problems.map(
  ({ field, message }) => html`<dt><code>${field}</code></dt><dd>${message}</dd>
`,
)}</dl>
<p>Go back to your site and begin again. If this page comes up again, update the plugin, and show this
page to the people who make it. They find the rules in the <a href="/docs/sites">documentation</a>.</p>
`,
  });
}
