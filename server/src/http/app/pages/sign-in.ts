import Type from 'typebox';
import { signIn, signOut } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { html } from '../../responses/html.ts';
import { SignIn } from '../api/sessions-endpoints.ts';
import { closed } from '../field-schemas.ts';
import { seeOther } from '../response.ts';
import { readReturnPath } from '../return-path.ts';
import { clearSession, setSession } from '../session-cookie.ts';
import { withDone } from './done.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { createFrontPage } from './frame.ts';
import { emailField, passwordField } from './known-fields.ts';
import { withNext } from './next.ts';
import { anyRequester, definePageRoute } from './page-route.ts';

export const signInPage = defineFormPage({
  path: appPages.signIn,
  authenticate: anyRequester,
  form: closed({ ...SignIn.properties, next: Type.Optional(Type.String()) }),
  begunWith: ['email', 'next'],
  show: ({ requester: { ctx }, done }, state) =>
    createFrontPage({
      title: 'Sign in',
      state,
      done,
      body: html`${renderForm(
        {
          action: appPages.signIn,
          fields: [
            emailField,
            passwordField({ label: 'Password', autocomplete: 'current-password' }),
          ],
          hidden: { next: state.values['next'] },
          submit: 'Sign in',
        },
        state,
      )}<p><a href="${appPages.forgotPassword}">Forgot your password?</a></p>
${ctx.installation.signUp && html`<p>No account yet? <a href="${withNext(appPages.signUp, state)}">Sign up</a></p>\n`}`,
    }),
  async submit({ requester, reply }, { email, password, next }) {
    const { ctx, client, token: previousToken } = requester;
    setSession(ctx, reply, await signIn(ctx, { email, password, client, previousToken }));
    return seeOther(readReturnPath(next));
  },
});

export const signOutAction = definePageRoute(
  'POST',
  { path: appPages.signOut, authenticate: anyRequester },
  async ({ requester: { ctx, token }, reply }) => {
    if (token !== undefined) await signOut(ctx, token);
    clearSession(ctx, reply);
    return seeOther(withDone(appPages.signIn, 'signed-out'));
  },
);
