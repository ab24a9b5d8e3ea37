import { confirmSignUp, findLink } from '../../../domain/access/sessions/index.ts';
import { appPages } from '../../../domain/foundation/addresses.ts';
import type { Installation } from '../../../domain/foundation/context.ts';
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
  begunWith: ['token'],
  async show({ requester: { ctx }, reply }, state) {
    if (!ctx.installation.signUp) return createSignUpClosedPage(reply);
    const link = await findLink(ctx, 'sign_up', tokenOf(state));
    if (link === undefined) {
      return createInvalidLinkPage(
        reply,
        html`<a href="${appPages.signIn}">Sign in</a>, or <a href="${appPages.signUp}">request a new email</a>.`,
      );
    }
    return createFrontPage({
      title: 'Create your account',
      state,
      body: html`<p>Your email address <strong>${link.email}</strong> is confirmed.</p>
${renderForm(confirmForm(ctx.installation, link.email, state), state)}`,
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

function confirmForm(installation: Installation, email: string, state: FormState) {
  return {
    action: appPages.confirmSignUp,
    fields: accountFields(installation),
    hidden: { token: tokenOf(state) },
    username: email,
    submit: 'Create my account',
  };
}
