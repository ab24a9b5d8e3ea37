import type { Static } from 'typebox';
import { changeName, getAccount } from '../../../../domain/accounts/index.ts';
import { type Html, html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { presentMe } from '../../present.ts';
import { ChangeProfile, type Me } from '../../schemas/account.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { nameField } from '../known-fields.ts';
import { signedInVisitor } from '../page-route.ts';

const path = '/app/settings';

export const profilePage = defineFormPage({
  path,
  admit: signedInVisitor,
  form: ChangeProfile,
  async show({ visitor, done }, state) {
    const me = presentMe(visitor, await getAccount(visitor.ctx, visitor.session.accountId));
    const values = { name: me.user.name, ...state.values };
    const form = { action: path, fields: [nameField], submit: 'Change the name' };
    return createSettingsPage(visitor, {
      title: 'Your account',
      path,
      state,
      done,
      body: html`${renderTermsNotice(me.terms)}${renderFacts(me)}
${renderForm(form, { ...state, values })}`,
    });
  },
  async submit({ visitor }, values) {
    await changeName(visitor.ctx, values);
    return seeOther(sayingDone(path, 'name'));
  },
});

function renderTermsNotice(terms: Static<typeof Me>['terms']): Html | undefined {
  if (terms.accepted) return undefined;
  return html`<div class="notice problem"><p>There are new terms. Until you accept them your API keys are
refused at <code>/v1/me</code>; whatever else they read, they go on reading. <a href="/app/settings/terms">Accept the terms</a></p></div>
`;
}

function renderFacts({ user, account, terms }: Static<typeof Me>): Html {
  const state = account.plan_state === 'active' ? '' : ` (${account.plan_state})`;
  return html`<dl class="pairs">
<dt>E-mail</dt><dd>${user.email}<br><a href="/app/settings/email">Change the address</a></dd>
<dt>Plan</dt><dd>${account.plan_name}${state}</dd>
${terms.version !== null && terms.accepted && html`<dt>Terms</dt><dd>version ${terms.version}, accepted</dd>`}
</dl>`;
}
