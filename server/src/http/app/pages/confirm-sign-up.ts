import { confirmSignUp, findLink } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
import { link, type PageWords } from '../../pages/page-words.ts';
import { html } from '../../responses/html.ts';
import { seeOther } from '../response.ts';
import { readReturnPath } from '../return-path.ts';
import { setSession } from '../session-cookie.ts';
import { accountFields, NewAccountForm } from './account-fields.ts';
import { leadToApp } from './done.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { type FormState, tokenOf } from './form-state.ts';
import { createFrontPage } from './frame.ts';
import { createInvalidLinkPage } from './invalid-link-page.ts';
import { anyRequester } from './page-route.ts';
import { createSignUpClosedPage } from './sign-up-closed.ts';

/**
 * The target of the email's link: opening it proves the address, and the form creates the account.
 */
export const confirmSignUpPage = defineFormPage({
  path: appPages.confirmSignUp,
  authenticate: anyRequester,
  form: NewAccountForm,
  urlFields: ['token'],
  async show({ requester: { ctx }, reply, words }, state) {
    if (!ctx.installation.signUp) return createSignUpClosedPage(words, reply);
    const found = await findLink(ctx, 'sign_up', tokenOf(state));
    if (found === undefined) {
      const whatNow = words.write('<a>Sign in</a>, or <new>request a new email</new>.', {
        a: link(appPages.signIn),
        new: link(appPages.signUp),
      });
      return createInvalidLinkPage(words, reply, whatNow);
    }
    return createFrontPage({
      words,
      title: words.say('Create your account'),
      state,
      body: html`<p>${words.write('Your email address <strong>{email}</strong> is confirmed.', { email: found.email })}</p>
${renderForm(words, confirmForm(words, ctx.installation, found.email, state), state)}`,
    });
  },
  async submit({ requester: { ctx, client }, reply }, { accepts_terms: acceptsTerms, ...given }) {
    const signedUp = await confirmSignUp(ctx, { ...given, acceptsTerms, client });
    setSession(ctx, reply, signedUp);
    const { returnPath } = signedUp;
    if (returnPath !== null) return seeOther(readReturnPath(returnPath));
    return leadToApp('signed-up');
  },
});

function confirmForm(
  words: PageWords,
  installation: Installation,
  email: string,
  state: FormState,
) {
  return {
    action: appPages.confirmSignUp,
    fields: accountFields(words, installation),
    hidden: { token: tokenOf(state) },
    username: email,
    submit: words.say('Create account'),
  };
}
