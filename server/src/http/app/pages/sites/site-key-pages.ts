import { appPages } from '../../../../domain/addresses.ts';
import type { UnregisteredSiteKey } from '../../../../domain/sites/index.ts';
import { html } from '../../../html.ts';
import type { Page } from '../../../pages/page.ts';
import type { SignedInRequester } from '../../requester.ts';
import { createSettingsPage } from '../frame.ts';
import { renderMoment } from '../moment.ts';

const path = appPages.sites;

/** The only page that shows the secret: the response to the form that created it. */
export function renderSecretPage(requester: SignedInRequester, key: UnregisteredSiteKey): Page {
  return createSettingsPage(requester, {
    title: 'Your new site key',
    path,
    body: html`<div class="notice done" role="status"><p>Copy the key now. It is shown only once, and we do not store
it.</p></div>
<h2>Key</h2>
<p><code class="secret" id="secret" translate="no">${key.secret}</code></p>
<p><button class="button" type="button" data-copy="secret" data-done="Copied" hidden>Copy</button></p>
<h2>Give it to the site</h2>
<p>Run this command on the server of the site before ${renderMoment(key.registerBefore)}. It waits for the
key on standard input.</p>
<p><code>wp podstead connect --service=${requester.ctx.installation.baseUrl} --key=-</code></p>
<p>The site then appears under Sites. Everybody who has the key
can connect a site of their own in your name, so do not send it by email or chat.</p>
<p><a href="${path}">Back to your sites</a></p>
`,
  });
}

/** The response to a form that is sent again, as when the page with the secret is reloaded. */
export function renderSentTwicePage(requester: SignedInRequester): Page {
  return createSettingsPage(requester, {
    title: 'Already done',
    path,
    body: html`<div class="notice"><p>You have already sent this form. The key was shown once and cannot be shown
again.</p></div>
<p>If you did not copy it, <a href="${path}/new-key">create another one</a>. A key that no site registers
ends after 24 hours.</p>
<p><a href="${path}">Back to your sites</a></p>
`,
  });
}
