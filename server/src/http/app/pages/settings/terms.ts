import { acceptTerms } from '../../../../domain/accounts/index.ts';
import { type Html, html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { AcceptTerms } from '../../schemas/account.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import type { FormState } from '../form-state.ts';
import { createSettingsPage } from '../frame.ts';
import { signedInVisitor } from '../page-route.ts';

const path = '/app/settings/terms';

export const termsPage = defineFormPage({
  path,
  admit: signedInVisitor,
  form: AcceptTerms,
  show: ({ visitor }, state) =>
    createSettingsPage(visitor, {
      title: 'Terms',
      path: '/app/settings',
      state,
      body: renderTerms(
        visitor.ctx.installation.termsVersion,
        visitor.session.acceptedTerms,
        state,
      ),
    }),
  async submit({ visitor }, values) {
    await acceptTerms(visitor.ctx, values);
    return seeOther(sayingDone('/app/settings', 'terms'));
  },
});

function renderTerms(version: string | undefined, accepted: string | null, state: FormState): Html {
  if (version === undefined) return html`<p>This installation has no terms to accept.</p>`;
  if (accepted === version) return html`<p>You have accepted version ${version}.</p>`;
  const form = { action: path, fields: [], hidden: { version }, submit: 'I accept the terms' };
  return html`<p>Version <strong>${version}</strong> of this service's terms is in force. Whoever runs the
service tells you where to read them.</p>
${renderForm(form, state)}`;
}
