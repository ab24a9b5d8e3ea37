import { acceptTerms } from '../../../../domain/accounts/index.ts';
import { appPages } from '../../../../domain/addresses.ts';
import type { Terms } from '../../../../domain/context.ts';
import { type Html, html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { AcceptTerms } from '../../schemas/account.ts';
import { nameTerms } from '../account-fields.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import type { FormState } from '../form-state.ts';
import { createSettingsPage } from '../frame.ts';
import { signedInRequester } from '../page-route.ts';

const path = appPages.terms;

export const termsPage = defineFormPage({
  path,
  authenticate: signedInRequester,
  form: AcceptTerms,
  show: ({ requester }, state) =>
    createSettingsPage(requester, {
      title: 'Terms',
      path: appPages.profile,
      state,
      body: renderTerms(requester.ctx.installation.terms, requester.session.acceptedTerms, state),
    }),
  async submit({ requester }, values) {
    await acceptTerms(requester.ctx, values);
    return seeOther(sayingDone(appPages.profile, 'terms'));
  },
});

function renderTerms(terms: Terms | undefined, accepted: string | null, state: FormState): Html {
  if (terms === undefined) return html`<p>There are no terms of service to accept.</p>`;
  const { version } = terms;
  if (accepted === version) return html`<p>You have accepted ${nameTerms(terms)}.</p>`;
  const form = { action: path, fields: [], hidden: { version }, submit: 'I accept the terms' };
  return html`<p>Please read ${nameTerms(terms)}.</p>
${renderForm(form, state)}`;
}
