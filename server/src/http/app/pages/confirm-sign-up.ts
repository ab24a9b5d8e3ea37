import type { Installation } from '../../../domain/context.ts';
import { confirmSignUp, findLink } from '../../../domain/sessions/index.ts';
import { html } from '../../html.ts';
import { seeOther } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { defaultReturnPath } from '../return-path.ts';
import { ConfirmSignUp } from '../schemas/account.ts';
import { accountFields } from './account-fields.ts';
import { createDeadLinkPage } from './dead-link-page.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { type FormState, tokenOf } from './form-state.ts';
import { createFrontPage } from './frame.ts';
import { anyVisitor } from './page-route.ts';
import { createSignUpClosedPage } from './sign-up-closed.ts';

/** Where the letter's link leads: whoever opens it owns the address, and becomes a user here. */
export const confirmSignUpPage = defineFormPage({
  path: '/app/sign-up/confirm',
  admit: anyVisitor,
  form: ConfirmSignUp,
  begunWith: ['token'],
  async show({ visitor: { ctx }, reply }, state) {
    if (!ctx.installation.signUp) return createSignUpClosedPage(reply);
    const link = await findLink(ctx, 'sign_up', tokenOf(state));
    if (link === undefined) {
      return createDeadLinkPage(
        reply,
        html`<a href="/app/sign-in">Sign in</a>, or <a href="/app/sign-up">ask for another letter</a>.`,
      );
    }
    return createFrontPage({
      title: 'Your account',
      state,
      body: html`<p>The address <strong>${link.email}</strong> is yours. Now the rest of the account.</p>
${renderForm(confirmForm(ctx.installation, link.email, state), state)}`,
    });
  },
  async submit({ visitor: { ctx, client }, reply }, { accepts_terms: acceptsTerms, ...given }) {
    keepSession(ctx, reply, await confirmSignUp(ctx, { ...given, acceptsTerms, client }));
    return seeOther(defaultReturnPath);
  },
});

function confirmForm(installation: Installation, email: string, state: FormState) {
  return {
    action: '/app/sign-up/confirm',
    fields: accountFields(installation),
    hidden: { token: tokenOf(state) },
    username: email,
    submit: 'Make my account',
  };
}
