import { requestPasswordReset } from '../../../domain/sessions/index.ts';
import { html } from '../../html.ts';
import { seeOther } from '../answers.ts';
import { RequestPasswordReset } from '../schemas/account.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { createFrontPage } from './frame.ts';
import { emailField } from './known-fields.ts';
import { anyVisitor } from './page-route.ts';

export const forgotPage = defineFormPage({
  path: '/app/forgot',
  admit: anyVisitor,
  form: RequestPasswordReset,
  begunWith: ['email'],
  show: (_asked, state) =>
    createFrontPage({
      title: 'Password forgotten',
      state,
      body: html`<p>You get a letter with a link to choose a new one.</p>
${renderForm({ action: '/app/forgot', fields: [emailField], submit: 'Send me the letter' }, state)}
<p><a href="/app/sign-in">Back to signing in</a></p>
`,
    }),
  async submit({ visitor: { ctx, client } }, { email }) {
    await requestPasswordReset(ctx, { email, client });
    return seeOther('/app/letter-sent');
  },
});
