import { changeEmail } from '../../../../domain/sessions/index.ts';
import { html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { ChangeEmail } from '../../schemas/account.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { currentPasswordField, emailField } from '../known-fields.ts';
import { signedInVisitor } from '../page-route.ts';

const path = '/app/settings/email';

export const emailPage = defineFormPage({
  path,
  admit: signedInVisitor,
  form: ChangeEmail,
  show({ visitor, done }, state) {
    const { email } = visitor.session;
    const form = {
      action: path,
      fields: [
        { ...emailField, label: 'New e-mail address', autocomplete: 'email' },
        currentPasswordField,
      ],
      username: email,
      submit: 'Send me a letter there',
    };
    return createSettingsPage(visitor, {
      title: 'E-mail address',
      path: '/app/settings',
      state,
      done,
      body: html`<p>Now it is <strong>${email}</strong>. The new address gets a letter: it becomes yours here
when you open the link in it.</p>
${renderForm(form, state)}<p><a href="/app/settings">Back to your account</a></p>
`,
    });
  },
  async submit({ visitor: { ctx, client } }, { email, current_password: currentPassword }) {
    await changeEmail(ctx, { email, currentPassword, client });
    return seeOther(sayingDone(path, 'letter'));
  },
});
