import { appPages } from '../../../domain/addresses.ts';
import { html } from '../../html.ts';
import { answerPage, seeOther } from '../answers.ts';
import { type Done, renderDone } from './done.ts';
import { createFrontPage } from './frame.ts';
import { anyRequester, definePageRoute } from './page-route.ts';

/** The last page after a link from an email: a confirmation, and a link to the app. */
export const donePage = definePageRoute(
  'GET',
  { path: appPages.done, authenticate: anyRequester },
  async ({ done }) => {
    if (renderDone(done) === undefined) return seeOther(appPages.home);
    return answerPage(
      createFrontPage({
        title: 'Done',
        done,
        body: html`<p><a class="button primary" href="${appPages.home}">Open the dashboard</a></p>
`,
      }),
    );
  },
);

/** Redirects to the page with this confirmation. */
export function redirectToDonePage(done: Done) {
  return seeOther(`${appPages.done}?done=${done}`);
}
