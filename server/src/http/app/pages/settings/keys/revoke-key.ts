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
import { signedInVisitor } from '../../page-route.ts';

const revokeKeyPage = defineFormPage({
  path: `${appPages.keys}/:keyId/revoke`,
  params: ids('keyId'),
  authenticate: signedInVisitor,
  form: closed({}),
  async show({ visitor, params: { keyId } }, state) {
    const key = await getKey(visitor.ctx, keyId);
    const form = {
      action: `${appPages.keys}/${key.id}/revoke`,
      fields: [],
      submit: 'Revoke the key',
      look: 'danger' as const,
    };
    return createSettingsPage(visitor, {
      title: 'Revoke a key',
      path: appPages.keys,
      state,
      body: html`<p>The key <strong>${key.name}</strong>, ending in <code>${key.lastFour}</code>, stops working
immediately. This cannot be undone.</p>
${renderForm(form, state)}<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
    });
  },
  async submit({ visitor, params: { keyId } }) {
    await revokeKey(visitor.ctx, keyId);
    return seeOther(sayingDone(appPages.keys, 'revoked'));
  },
});

const revokeAllPage = defineFormPage({
  path: `${appPages.keys}/revoke-all`,
  authenticate: signedInVisitor,
  form: closed({}),
  show({ visitor }, state) {
    const form = {
      action: `${appPages.keys}/revoke-all`,
      fields: [],
      submit: 'Revoke all keys',
      look: 'danger' as const,
    };
    return createSettingsPage(visitor, {
      title: 'Revoke all keys',
      path: appPages.keys,
      state,
      body: html`<p>All your keys, including those of connected sites, stop working immediately. This cannot be
undone.</p>
${renderForm(form, state)}<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
    });
  },
  async submit({ visitor: { ctx, session } }) {
    await revokeAllKeys(ctx, session.userId);
    return seeOther(sayingDone(appPages.keys, 'all-revoked'));
  },
});

export const revokeKeyPages: readonly Route[] = [...revokeKeyPage, ...revokeAllPage];
