import Type from 'typebox';
import { appPages } from '../../../../../domain/addresses.ts';
import { createKey } from '../../../../../domain/keys/index.ts';
import { newId } from '../../../../../lib/uuid.ts';
import { html } from '../../../../html.ts';
import type { Page } from '../../../../pages/page.ts';
import { answerPage } from '../../../answers.ts';
import type { SignedInRequester } from '../../../requester.ts';
import { closed, id, password } from '../../../schemas/fields.ts';
import { expiresInDays, someScopes } from '../../../schemas/keys.ts';
import type { Field } from '../../fields.ts';
import { renderForm } from '../../form.ts';
import { defineFormPage } from '../../form-page.ts';
import type { FormState } from '../../form-state.ts';
import { createSettingsPage } from '../../frame.ts';
import { currentPasswordField } from '../../known-fields.ts';
import { signedInRequester } from '../../page-route.ts';
import { expiryField, nameField, podcastsField, scopesField } from './key-fields.ts';
import {
  listOfferedPodcasts,
  type OfferedPodcasts,
  otherPodcastsField,
  readReach,
} from './offered-podcasts.ts';
import { renderSecretPage } from './secret-page.ts';
import { isSentTwice, renderSentTwicePage } from './sent-twice-page.ts';

export const newKeyPage = defineFormPage({
  path: `${appPages.keys}/new`,
  authenticate: signedInRequester,
  form: closed({
    id,
    name: Type.String(),
    scopes: someScopes,
    reach: Type.Enum(['all', 'some'], { type: 'string' }),
    podcasts: Type.Array(id),
    other_podcasts: Type.Optional(Type.String()),
    expires_in_days: expiresInDays,
    current_password: password,
  }),
  show: async ({ requester }, state) =>
    renderNewKeyPage(requester, state, await listOfferedPodcasts(requester)),
  async submit({ requester, reply }, values) {
    const { id, name, scopes, reach, expires_in_days: days, current_password: password } = values;
    const podcasts = await readReach(requester, {
      isAll: reach === 'all',
      field: 'reach',
      podcasts: values.podcasts,
      others: values.other_podcasts,
    });
    try {
      const made = await createKey(requester.ctx, {
        id,
        userId: requester.session.userId,
        name,
        scopes,
        podcasts,
        expiresInDays: days,
        currentPassword: password,
      });
      return answerPage(renderSecretPage(requester, made, 'Your new key'));
    } catch (error) {
      if (!isSentTwice(error)) throw error;
      reply.code(409);
      return answerPage(renderSentTwicePage(requester, id));
    }
  },
});

function renderNewKeyPage(
  requester: SignedInRequester,
  state: FormState,
  { podcasts, areMore }: OfferedPodcasts,
): Page {
  const fresh = { id: newId(), scopes: ['podcasts:read'], reach: 'all', expires_in_days: 90 };
  const values = { ...fresh, ...state.values };
  const reachField: Field = {
    kind: 'one-of',
    name: 'reach',
    label: 'Podcasts',
    choices: [
      { value: 'all', label: 'All my podcasts, including future ones' },
      { value: 'some', label: 'Only the podcasts chosen below' },
    ],
  };
  const fields: Field[] = [
    nameField,
    scopesField('Permissions'),
    ...(podcasts.length === 0 ? [] : [reachField, podcastsField('Chosen podcasts', podcasts)]),
    ...(areMore ? [otherPodcastsField] : []),
    expiryField,
    currentPasswordField,
  ];
  const hidden = { id: values.id, ...(podcasts.length === 0 ? { reach: 'all' } : {}) };
  return createSettingsPage(requester, {
    title: 'Create a key',
    path: appPages.keys,
    state,
    body: html`${renderForm(
      {
        action: `${appPages.keys}/new`,
        fields,
        hidden,
        username: requester.session.email,
        submit: 'Create the key',
      },
      { ...state, values },
    )}<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
  });
}
