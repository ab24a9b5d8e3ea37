import { appPages } from '../../../../../domain/addresses.ts';
import type { KeyWithSecret } from '../../../../../domain/keys/index.ts';
import { html } from '../../../../html.ts';
import type { Page } from '../../../../pages/page.ts';
import type { SignedInRequester } from '../../../requester.ts';
import { createSettingsPage } from '../../frame.ts';
import { renderMoment } from '../../moment.ts';

/** The only page that shows a secret: the response to the form that created it. */
export function renderSecretPage(
  requester: SignedInRequester,
  { key, secret }: KeyWithSecret,
  title: string,
): Page {
  const { baseUrl } = requester.ctx.installation;
  return createSettingsPage(requester, {
    title,
    path: appPages.keys,
    body: html`<div class="notice done" role="status"><p>Copy the secret of <strong>${key.name}</strong> now.
It is shown only once, and we do not store it.</p></div>
<h2>Secret</h2>
<p><code class="secret" id="secret" translate="no">${secret}</code></p>
<p class="hint">Copy it to where you need it, then leave this page.</p>
<p><button class="button" type="button" data-copy="secret" data-done="Copied" hidden>Copy</button></p>
${key.replaced !== null && html`<p>The old secret, ending in <code>${key.replaced.lastFour}</code>, works until ${renderMoment(key.replaced.worksUntil)}.</p>`}
<h2>Keep it like a password</h2>
<ul>
<li>Store it on a server, in a setting or a secret manager. Do not put it into a web page, an app that
others install, a URL or a repository.</li>
<li>Anybody who has it can use it until ${renderMoment(key.expiresAt)}. If it leaks, roll or revoke the
key.</li>
</ul>
<h2>Try it</h2>
<p><code>curl -H "Authorization: Bearer $KEY" ${baseUrl}/v1/me</code></p>
<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
  });
}
