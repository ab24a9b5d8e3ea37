import Type from 'typebox';
import { appPages } from '../../../../../domain/addresses.ts';
import { getKey, type Key, rollKey } from '../../../../../domain/keys/index.ts';
import { html } from '../../../../html.ts';
import { answerPage } from '../../../answers.ts';
import { closed, ids, password } from '../../../schemas/fields.ts';
import { expiresInDays, grace } from '../../../schemas/keys.ts';
import { renderForm } from '../../form.ts';
import { defineFormPage } from '../../form-page.ts';
import { createSettingsPage } from '../../frame.ts';
import { currentPasswordField } from '../../known-fields.ts';
import { signedInRequester } from '../../page-route.ts';
import { expiryField, graceField } from './key-fields.ts';
import { renderSecretPage } from './secret-page.ts';
import { isSentTwice, renderSentTwicePage } from './sent-twice-page.ts';

export const rollKeyPage = defineFormPage({
  path: `${appPages.keys}/:keyId/roll`,
  params: ids('keyId'),
  authenticate: signedInRequester,
  form: closed({
    /** Of the secret that the form replaces. */
    last_four: Type.String(),
    grace,
    expires_in_days: expiresInDays,
    current_password: password,
  }),
  async show({ requester, params: { keyId } }, state) {
    const key = await getKey(requester.ctx, keyId);
    const values = { ...fresh, last_four: key.lastFour, ...state.values };
    return createSettingsPage(requester, {
      title: 'Roll a key',
      path: appPages.keys,
      state,
      body: html`<p>The key <strong>${key.name}</strong>, ending in <code>${key.lastFour}</code>, gets a new secret.
Its name, permissions and podcasts stay the same.</p>
${renderForm(rollForm(key, requester.session.email, values.last_four), { ...state, values })}<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
    });
  },
  async submit({ requester, params: { keyId }, reply }, values) {
    try {
      const rolled = await rollKey(requester.ctx, {
        keyId,
        lastFour: values.last_four,
        grace: values.grace,
        expiresInDays: values.expires_in_days,
        currentPassword: values.current_password,
      });
      return answerPage(renderSecretPage(requester, rolled, 'Your new secret'));
    } catch (error) {
      if (!isSentTwice(error)) throw error;
      reply.code(409);
      return answerPage(renderSentTwicePage(requester, keyId));
    }
  },
});

const fresh = { grace: '1h', expires_in_days: 90 };

const rollForm = (key: Key, username: string, lastFour: unknown) => ({
  action: `${appPages.keys}/${key.id}/roll`,
  fields: [graceField, expiryField, currentPasswordField],
  hidden: { last_four: lastFour },
  username,
  submit: 'Create a new secret',
});
