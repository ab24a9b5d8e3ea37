import Type from 'typebox';
import { signIn } from '../../../domain/sessions/index.ts';
import { html } from '../../html.ts';
import { seeOther } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { readReturnPath } from '../return-path.ts';
import { SignIn } from '../schemas/account.ts';
import { closed } from '../schemas/fields.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { createFrontPage } from './frame.ts';
import { emailField, passwordField } from './known-fields.ts';
import { anyVisitor } from './page-route.ts';

export const signInPage = defineFormPage({
  path: '/app/sign-in',
  admit: anyVisitor,
  form: closed({ ...SignIn.properties, next: Type.Optional(Type.String()) }),
  begunWith: ['email', 'next'],
  show: ({ visitor: { ctx }, done }, state) =>
    createFrontPage({
      title: 'Sign in',
      state,
      done,
      body: html`${renderForm(
        {
          action: '/app/sign-in',
          fields: [
            emailField,
            passwordField({ label: 'Password', autocomplete: 'current-password' }),
          ],
          hidden: { next: state.values['next'] },
          submit: 'Sign in',
        },
        state,
      )}<p><a href="/app/forgot">Password forgotten?</a></p>
${ctx.installation.signUp && html`<p>No account yet? <a href="/app/sign-up">Sign up</a></p>\n`}`,
    }),
  async submit({ visitor, reply }, { email, password, next }) {
    const { ctx, client, token: previousToken } = visitor;
    keepSession(ctx, reply, await signIn(ctx, { email, password, client, previousToken }));
    return seeOther(readReturnPath(next));
  },
});
