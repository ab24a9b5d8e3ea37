import { changePassword } from '../../../../domain/sessions/index.ts';
import { html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { keepSession } from '../../carry-session.ts';
import { ChangePassword } from '../../schemas/account.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { currentPasswordField, newPasswordField } from '../known-fields.ts';
import { signedInVisitor } from '../page-route.ts';

const path = '/app/settings/password';

export const passwordPage = defineFormPage({
  path,
  admit: signedInVisitor,
  form: ChangePassword,
  show({ visitor, done }, state) {
    const form = {
      action: path,
      fields: [currentPasswordField, newPasswordField],
      username: visitor.session.email,
      submit: 'Change the password',
    };
    return createSettingsPage(visitor, {
      title: 'Password',
      path,
      state,
      done,
      body: html`<p>With a new password you are signed out everywhere else, and every API key is revoked.</p>
${renderForm(form, state)}<p>Forgotten? <a href="/app/forgot">Choose a new one by letter</a></p>
`,
    });
  },
  async submit({ visitor: { ctx, client }, reply }, values) {
    const { current_password: currentPassword, password } = values;
    keepSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
    return seeOther(sayingDone(path, 'password'));
  },
});
