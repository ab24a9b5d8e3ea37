import { html } from '../../html.ts';
import { defineRoute } from '../../route.ts';
import { answerPage } from '../answers.ts';
import { forVisitors } from '../visitor.ts';
import { createFrontPage } from './frame.ts';

/** Says the same whether or not the address has an account: that is nobody else's business. */
const page = createFrontPage({
  title: 'Look into your letters',
  body: html`<p>If the address is right, a letter is on its way to it. The link in it works once, and for
a while: go on from there. You can close this page.</p>
<p>Nothing after a few minutes? Look into the folder for unwanted mail, and check the address that you
typed.</p>
<p><a href="/app/sign-in">Back to signing in</a></p>
`,
});

export const letterSentRoute = defineRoute({
  ...forVisitors,
  method: 'GET',
  path: '/app/letter-sent',
  handle: async () => answerPage(page),
});
