import { appPages } from '../../../../../domain/addresses.ts';
import { DomainError } from '../../../../../domain/errors.ts';
import { html } from '../../../../html.ts';
import type { Page } from '../../../../pages/page.ts';
import type { SignedInRequester } from '../../../requester.ts';
import { createSettingsPage } from '../../frame.ts';

/** The response to a form that is sent again, as when the page with the secret is reloaded. */
export function renderSentTwicePage(requester: SignedInRequester, keyId: string): Page {
  return createSettingsPage(requester, {
    title: 'Already done',
    path: appPages.keys,
    body: html`<div class="notice"><p>You have already sent this form. The secret was shown once and cannot be shown
again.</p></div>
<p>If you did not copy it, <a href="${appPages.keys}/${keyId}/roll">roll the key</a> to get a new
secret.</p>
<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
  });
}

/** Whether this refusal means that the request was already carried out. */
export function isSentTwice(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  return error.details.some(
    ({ reason }) => reason === 'made_already' || reason === 'rolled_already',
  );
}
