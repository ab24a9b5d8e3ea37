import Type from 'typebox';
import { signUp } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { link } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
import { closed, email } from '../field-schemas.ts';
import { seeOther } from '../response.ts';
import { readReturnPath } from '../return-path.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { createFrontPage } from './frame.ts';
import { emailField } from './known-fields.ts';
import { withNext } from './next.ts';
import { anyRequester } from './page-route.ts';
import { createSignUpClosedPage } from './sign-up-closed.ts';

export const signUpPage = defineFormPage({
  path: appPages.signUp,
  authenticate: anyRequester,
  form: closed({ email, next: Type.Optional(Type.String()) }),
  urlFields: ['email', 'next'],
  show({ requester: { ctx }, reply, words }, state) {
    if (!ctx.installation.signUp) return createSignUpClosedPage(words, reply);
    return createFrontPage({
      words,
      title: words.say('Create account'),
      state,
      body: html`<p>${words.write('Enter your email address. We will send you a link to confirm it.')}</p>
${renderForm(
  words,
  {
    action: appPages.signUp,
    fields: [emailField(words)],
    hidden: { next: state.values['next'] },
    submit: words.say('Send the email'),
  },
  state,
)}
<p>${words.write('Already have an account? <a>Sign in</a>', { a: link(withNext(appPages.signIn, state)) })}</p>
`,
    });
  },
  async submit({ requester: { ctx, client } }, { email, next }) {
    const returnPath = next === undefined ? undefined : readReturnPath(next);
    await signUp(ctx, { email, client, returnPath });
    return seeOther(appPages.emailSent);
  },
});
