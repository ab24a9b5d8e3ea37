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
import { keysPath } from './key-fields.ts';

const revokeKeyPage = defineFormPage({
  path: `${keysPath}/:keyId/revoke`,
  params: ids('keyId'),
  admit: signedInVisitor,
  form: closed({}),
  async show({ visitor, params: { keyId } }, state) {
    const key = await getKey(visitor.ctx, keyId);
    const form = {
      action: `${keysPath}/${key.id}/revoke`,
      fields: [],
      submit: 'Revoke it',
      look: 'danger' as const,
    };
    return createSettingsPage(visitor, {
      title: 'Revoke a key',
      path: keysPath,
      state,
      body: html`<p><strong>${key.name}</strong>, ending in <code>${key.lastFour}</code>, will be refused from
its next request on. This cannot be undone.</p>
${renderForm(form, state)}<p><a href="${keysPath}">Back to your keys</a></p>
`,
    });
  },
  async submit({ visitor, params: { keyId } }) {
    await revokeKey(visitor.ctx, keyId);
    return seeOther(sayingDone(keysPath, 'revoked'));
  },
});

const revokeAllPage = defineFormPage({
  path: `${keysPath}/revoke-all`,
  admit: signedInVisitor,
  form: closed({}),
  show({ visitor }, state) {
    const form = {
      action: `${keysPath}/revoke-all`,
      fields: [],
      submit: 'Revoke all of them',
      look: 'danger' as const,
    };
    return createSettingsPage(visitor, {
      title: 'Revoke all keys',
      path: keysPath,
      state,
      body: html`<p>Every key of yours, and the key of every site that you connected, will be refused from
its next request on. This cannot be undone.</p>
${renderForm(form, state)}<p><a href="${keysPath}">Back to your keys</a></p>
`,
    });
  },
  async submit({ visitor: { ctx, session } }) {
    await revokeAllKeys(ctx, session.userId);
    return seeOther(sayingDone(keysPath, 'all-revoked'));
  },
});

export const revokeKeyPages: readonly Route[] = [...revokeKeyPage, ...revokeAllPage];
