import { findLink, resetPassword } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { link } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
import { closed, password, token } from '../field-schemas.ts';
import { setSession } from '../session-cookie.ts';
import { leadToApp } from './done.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { tokenOf } from './form-state.ts';
import { createFrontPage } from './frame.ts';
import { createInvalidLinkPage } from './invalid-link-page.ts';
import { newPasswordField } from './known-fields.ts';
import { anyRequester } from './page-route.ts';

export const resetPage = defineFormPage({
  path: appPages.resetPassword,
  authenticate: anyRequester,
  form: closed({ token, password }),
  urlFields: ['token'],
  async show({ requester: { ctx }, reply, words }, state) {
    const found = await findLink(ctx, 'reset_password', tokenOf(state));
    if (found === undefined) {
      const whatNow = words.write('<a>Request a new email</a>.', {
        a: link(appPages.forgotPassword),
      });
      return createInvalidLinkPage(words, reply, whatNow);
    }
    const { email } = found;
    const form = {
      action: appPages.resetPassword,
      fields: [newPasswordField(words, words.say('New password'))],
      hidden: { token: tokenOf(state) },
      username: email,
      submit: words.say('Save the password'),
    };
    return createFrontPage({
      words,
      title: words.say('Choose a new password'),
      state,
      body: html`<p>${words.write('This sets the password of <strong>{email}</strong>. It signs you out everywhere else and revokes all your API keys.', { email })}</p>
${renderForm(words, form, state)}`,
    });
  },
  async submit({ requester: { ctx, client }, reply }, given) {
    setSession(ctx, reply, await resetPassword(ctx, { ...given, client }));
    return leadToApp('password');
  },
});
