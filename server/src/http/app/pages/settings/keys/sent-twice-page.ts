import { DomainError } from '../../../../../domain/errors.ts';
import { html } from '../../../../html.ts';
import type { Page } from '../../../../pages/page.ts';
import type { SignedInVisitor } from '../../../visitor.ts';
import { createSettingsPage } from '../../frame.ts';
import { keysPath } from './key-fields.ts';

/** What a form is answered that comes a second time: the page with the secret, loaded again. */
export function renderSentTwicePage(visitor: SignedInVisitor, keyId: string): Page {
  return createSettingsPage(visitor, {
    title: 'Done already',
    path: keysPath,
    body: html`<div class="notice"><p>You have sent this form before. The secret was shown then, and is kept
nowhere: it cannot be shown again.</p></div>
<p>Did you not copy it? <a href="${keysPath}/${keyId}/roll">Roll the key</a>: that gives it a new
secret.</p>
<p><a href="${keysPath}">Back to your keys</a></p>
`,
  });
}

/** Whether this is the refusal to do a second time what was done. */
export function isSentTwice(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  return error.details.some(
    ({ reason }) => reason === 'made_already' || reason === 'rolled_already',
  );
}
