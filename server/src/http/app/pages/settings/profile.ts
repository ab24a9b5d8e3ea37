import type { Static } from 'typebox';
import { changeName, getOwnAccount } from '../../../../domain/accounts/index.ts';
import { appPages } from '../../../../domain/addresses.ts';
import { type Html, html } from '../../../html.ts';
import { seeOther } from '../../answers.ts';
import { presentMe } from '../../present.ts';
import { ChangeProfile, type Me } from '../../schemas/account.ts';
import { sayingDone } from '../done.ts';
import { renderForm } from '../form.ts';
import { defineFormPage } from '../form-page.ts';
import { createSettingsPage } from '../frame.ts';
import { nameField } from '../known-fields.ts';
import { signedInRequester } from '../page-route.ts';

const path = appPages.profile;

export const profilePage = defineFormPage({
  path,
  authenticate: signedInRequester,
  form: ChangeProfile,
  async show({ requester, done }, state) {
    const me = presentMe(requester, await getOwnAccount(requester.ctx));
    const values = { name: me.user.name, ...state.values };
    const form = { action: path, fields: [nameField], submit: 'Save' };
    return createSettingsPage(requester, {
      title: 'Your account',
      path,
      state,
      done,
      body: html`${renderTermsNotice(me.terms)}${renderFacts(me)}
${renderForm(form, { ...state, values })}`,
    });
  },
  async submit({ requester }, values) {
    await changeName(requester.ctx, values);
    return seeOther(sayingDone(path, 'name'));
  },
});

function renderTermsNotice(terms: Static<typeof Me>['terms']): Html | undefined {
  if (terms.accepted) return undefined;
  return html`<div class="notice problem"><p>There are new terms of service. Until you accept them, your API keys
cannot use <code>/v1/me</code>; other endpoints keep working. <a href="${appPages.terms}">Review the terms</a></p></div>
`;
}

function renderFacts({ user, account, terms }: Static<typeof Me>): Html {
  const state = account.plan_state === 'active' ? '' : ` (${account.plan_state})`;
  return html`<dl class="pairs">
<dt>Email</dt><dd>${user.email}<br><a href="${appPages.changeEmail}">Change</a></dd>
<dt>Plan</dt><dd>${account.plan_name}${state}</dd>
${terms.version !== null && terms.accepted && html`<dt>Terms</dt><dd>version ${terms.version}, accepted</dd>`}
</dl>`;
}
