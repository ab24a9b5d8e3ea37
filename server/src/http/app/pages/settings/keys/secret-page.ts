import type { KeyWithSecret } from '../../../../../domain/keys/index.ts';
import { html } from '../../../../html.ts';
import type { Page } from '../../../../pages/page.ts';
import type { SignedInVisitor } from '../../../visitor.ts';
import { createSettingsPage } from '../../frame.ts';
import { renderMoment } from '../../moment.ts';
import { keysPath } from './key-fields.ts';

/** The one page that a secret is ever on: the answer to the form that asked for it. */
export function renderSecretPage(
  visitor: SignedInVisitor,
  { key, secret }: KeyWithSecret,
  title: string,
): Page {
  const { baseUrl } = visitor.ctx.installation;
  return createSettingsPage(visitor, {
    title,
    path: keysPath,
    body: html`<div class="notice done" role="status"><p>Copy the secret of <strong>${key.name}</strong> now:
it is shown this once, and kept nowhere.</p></div>
<h2>Secret</h2>
<p><code class="secret" id="secret" translate="no">${secret}</code></p>
<p class="hint">Select it and copy it to where it is needed, then leave this page.</p>
<p><button class="button" type="button" data-copy="secret" data-done="Copied" hidden>Copy</button></p>
${key.replaced !== null && html`<p>The old secret, ending in <code>${key.replaced.lastFour}</code>, works until ${renderMoment(key.replaced.worksUntil)}.</p>`}
<h2>Keep it like a password</h2>
<ul>
<li>It belongs on a server, in a setting or a vault: not in a page, an app that others install, an
address, or a repository.</li>
<li>Whoever has it reads what it may read until ${renderMoment(key.expiresAt)}. If it gets out, roll or
revoke the key.</li>
</ul>
<h2>Try it</h2>
<p><code>curl -H "Authorization: Bearer $KEY" ${baseUrl}/v1/me</code></p>
<p><a href="${keysPath}">Back to your keys</a></p>
`,
  });
}
