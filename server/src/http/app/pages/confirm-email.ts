import { confirmEmail, findLink } from '../../../domain/sessions/index.ts';
import { html } from '../../html.ts';
import { seeOther } from '../answers.ts';
import { ConfirmEmail } from '../schemas/account.ts';
import { createDeadLinkPage } from './dead-link-page.ts';
import { sayingDone } from './done.ts';
import { renderForm } from './form.ts';
import { defineFormPage } from './form-page.ts';
import { tokenOf } from './form-state.ts';
import { createFrontPage } from './frame.ts';
import { anyVisitor } from './page-route.ts';

/** A button, because mail programs open links by themselves to look what is behind them. */
export const confirmEmailPage = defineFormPage({
  path: '/app/email/confirm',
  admit: anyVisitor,
  form: ConfirmEmail,
  begunWith: ['token'],
  async show({ visitor: { ctx }, reply }, state) {
    const link = await findLink(ctx, 'change_email', tokenOf(state));
    if (link === undefined) {
      return createDeadLinkPage(
        reply,
        html`<a href="/app/settings/email">Ask for another letter</a>.`,
      );
    }
    const form = {
      action: '/app/email/confirm',
      fields: [],
      hidden: { token: tokenOf(state) },
      submit: 'Change to this address',
    };
    return createFrontPage({
      title: 'A new address',
      state,
      body: html`<p>From now on you sign in as <strong>${link.email}</strong>, and letters go there.</p>
${renderForm(form, state)}`,
    });
  },
  async submit({ visitor }, values) {
    await confirmEmail(visitor.ctx, values);
    return seeOther(sayingDone('/app/settings', 'email'));
  },
});
