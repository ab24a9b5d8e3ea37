import { signUp } from '../../../domain/sessions/index.ts';
import { html } from '../../html.ts';
import { seeOther } from '../answers.ts';
import { SignUp } from '../schemas/account.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { createFrontPage } from './frame.ts';
import { emailField } from './known-fields.ts';
import { anyVisitor } from './page-route.ts';
import { createSignUpClosedPage } from './sign-up-closed.ts';

export const signUpPage = defineFormPage({
  path: '/app/sign-up',
  admit: anyVisitor,
  form: SignUp,
  begunWith: ['email'],
  show({ visitor: { ctx }, reply }, state) {
    if (!ctx.installation.signUp) return createSignUpClosedPage(reply);
    return createFrontPage({
      title: 'Sign up',
      state,
      body: html`<p>You get a letter with a link: that is how we know the address is yours.</p>
${renderForm({ action: '/app/sign-up', fields: [emailField], submit: 'Send me the letter' }, state)}
<p>You have an account? <a href="/app/sign-in">Sign in</a></p>
`,
    });
  },
  async submit({ visitor: { ctx, client } }, { email }) {
    await signUp(ctx, { email, client });
    return seeOther('/app/letter-sent');
  },
});
