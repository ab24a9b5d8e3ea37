import { appPages } from '../../../../../domain/addresses.ts';
import { getKey, revokeAllKeys, revokeKey } from '../../../../../domain/keys/index.ts';
import { html } from '../../../../html.ts';
import type { Route } from '../../../../route.ts';
import { seeOther } from '../../../answers.ts';
import { closed, ids } from '../../../schemas/fields.ts';
import { sayingDone } from '../../done.ts';
import { renderForm } from '../../form.ts';
import { defineFormPage } from '../../form-page.ts';
import { createSettingsPage } from '../../frame.ts';
import { signedInRequester } from '../../page-route.ts';

const revokeKeyPage = defineFormPage({
  path: `${appPages.keys}/:keyId/revoke`,
  params: ids('keyId'),
  authenticate: signedInRequester,
  form: closed({}),
  async show({ requester, params: { keyId } }, state) {
    const key = await getKey(requester.ctx, keyId);
    const form = {
      action: `${appPages.keys}/${key.id}/revoke`,
      fields: [],
      submit: 'Revoke the key',
      look: 'danger' as const,
    };
    return createSettingsPage(requester, {
      title: 'Revoke a key',
      path: appPages.keys,
      state,
      body: html`<p>The key <strong>${key.name}</strong>, ending in <code>${key.lastFour}</code>, stops working
immediately. This cannot be undone.</p>
${renderForm(form, state)}<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
    });
  },
  async submit({ requester, params: { keyId } }) {
    await revokeKey(requester.ctx, keyId);
    return seeOther(sayingDone(appPages.keys, 'revoked'));
  },
});

const revokeAllPage = defineFormPage({
  path: `${appPages.keys}/revoke-all`,
  authenticate: signedInRequester,
  form: closed({}),
  show({ requester }, state) {
    const form = {
      action: `${appPages.keys}/revoke-all`,
      fields: [],
      submit: 'Revoke all keys',
      look: 'danger' as const,
    };
    return createSettingsPage(requester, {
      title: 'Revoke all keys',
      path: appPages.keys,
      state,
      body: html`<p>All your keys, including those of connected sites, stop working immediately. This cannot be
undone.</p>
${renderForm(form, state)}<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
    });
  },
  async submit({ requester: { ctx, session } }) {
    await revokeAllKeys(ctx, session.userId);
    return seeOther(sayingDone(appPages.keys, 'all-revoked'));
  },
});

export const revokeKeyPages: readonly Route[] = [...revokeKeyPage, ...revokeAllPage];
