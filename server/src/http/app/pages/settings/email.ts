import { appPages } from '../../../../domain/addresses.ts';
import { changeEmail } from '../../../../domain/sessions/index.ts';
import { html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { ChangeEmail } from '../../schemas/account.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { currentPasswordField, emailField } from '../known-fields.ts';
import { signedInRequester } from '../page-route.ts';

const path = appPages.changeEmail;

export const emailPage = defineFormPage({
  path,
  authenticate: signedInRequester,
  form: ChangeEmail,
  show({ requester, done }, state) {
    const { email } = requester.session;
    const form = {
      action: path,
      fields: [
        { ...emailField, label: 'New email address', autocomplete: 'email' },
        currentPasswordField,
      ],
      username: email,
      submit: 'Send a confirmation email',
    };
    return createSettingsPage(requester, {
      title: 'Email address',
      path: appPages.profile,
      state,
      done,
      body: html`<p>Your email address is <strong>${email}</strong>. We will send an email to the new address. Open the
link in it to confirm the change.</p>
${renderForm(form, state)}<p><a href="${appPages.profile}">Back to your account</a></p>
`,
    });
  },
  async submit({ requester: { ctx, client } }, { email, current_password: currentPassword }) {
    await changeEmail(ctx, { email, currentPassword, client });
    return seeOther(sayingDone(path, 'email-sent'));
  },
});
