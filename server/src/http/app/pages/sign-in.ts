import Type from 'typebox';
import { signIn, signOut } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { link } from '../../pages/page-words.ts';
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
import { currentPasswordField, emailField } from './known-fields.ts';
import { withNext } from './next.ts';
import { anyRequester, definePageRoute } from './page-route.ts';

export const signInPage = defineFormPage({
  path: appPages.signIn,
  authenticate: anyRequester,
  form: closed({ ...SignIn.properties, next: Type.Optional(Type.String()) }),
  urlFields: ['email', 'next'],
  show: ({ requester: { ctx }, done, words }, state) =>
    createFrontPage({
      words,
      title: words.say('Sign in'),
      state,
      done,
      body: html`${renderForm(
        words,
        {
          action: appPages.signIn,
          fields: [emailField(words), currentPasswordField(words)],
          hidden: { next: state.values['next'] },
          submit: words.say('Sign in'),
        },
        state,
      )}<p><a href="${appPages.forgotPassword}">${words.say('Forgot your password?')}</a></p>
${
  ctx.installation.signUp &&
  html`<p>${words.write('No account yet? <a>Create account</a>', { a: link(withNext(appPages.signUp, state)) })}</p>\n`
}`,
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
