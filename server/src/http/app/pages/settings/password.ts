import { appPages } from '../../../../domain/addresses.ts';
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
import { signedInRequester } from '../page-route.ts';

const path = appPages.password;

export const passwordPage = defineFormPage({
  path,
  authenticate: signedInRequester,
  form: ChangePassword,
  show({ requester, done }, state) {
    const form = {
      action: path,
      fields: [currentPasswordField, newPasswordField],
      username: requester.session.email,
      submit: 'Change the password',
    };
    return createSettingsPage(requester, {
      title: 'Password',
      path,
      state,
      done,
      body: html`<p>A new password signs you out everywhere else and revokes all your API keys.</p>
${renderForm(form, state)}<p>Forgot your password? <a href="${appPages.forgotPassword}">Reset it by email</a></p>
`,
    });
  },
  async submit({ requester: { ctx, client }, reply }, values) {
    const { current_password: currentPassword, password } = values;
    keepSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
    return seeOther(sayingDone(path, 'password'));
  },
});
