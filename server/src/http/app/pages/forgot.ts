import { requestPasswordReset } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { html } from '../../responses/html.ts';
import { closed, email } from '../field-schemas.ts';
import { seeOther } from '../response.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { createFrontPage } from './frame.ts';
import { emailField } from './known-fields.ts';
import { anyRequester } from './page-route.ts';

export const forgotPage = defineFormPage({
  path: appPages.forgotPassword,
  authenticate: anyRequester,
  form: closed({ email }),
  urlFields: ['email'],
  show: ({ words }, state) =>
    createFrontPage({
      words,
      title: words.say('Reset your password'),
      state,
      body: html`<p>${words.write('Enter your email address. We will send you a link to choose a new password.')}</p>
${renderForm(
  words,
  {
    action: appPages.forgotPassword,
    fields: [emailField(words)],
    submit: words.say('Send the email'),
  },
  state,
)}
<p><a href="${appPages.signIn}">${words.say('Back to sign-in')}</a></p>
`,
    }),
  async submit({ requester: { ctx, client } }, { email }) {
    await requestPasswordReset(ctx, { email, client });
    return seeOther(appPages.emailSent);
  },
});
