import Type from 'typebox';
import { appPages } from '../../../../../domain/addresses.ts';
import { getKey, type Key, widenKey } from '../../../../../domain/keys/index.ts';
import { userScopes } from '../../../../../domain/permissions/index.ts';
import { html } from '../../../../html.ts';
import { seeOther } from '../../../answers.ts';
import { closed, id, ids, password } from '../../../schemas/fields.ts';
import { someScopes } from '../../../schemas/keys.ts';
import { sayingDone } from '../../done.ts';
import type { Field } from '../../fields.ts';
import { renderForm } from '../../form.ts';
import { defineFormPage } from '../../form-page.ts';
import { createSettingsPage } from '../../frame.ts';
import { currentPasswordField } from '../../known-fields.ts';
import { signedInRequester } from '../../page-route.ts';
import { podcastsField, scopesField } from './key-fields.ts';
import {
  listOfferedPodcasts,
  type OfferedPodcasts,
  otherPodcastsField,
  readReach,
} from './offered-podcasts.ts';

export const widenKeyPage = defineFormPage({
  path: `${appPages.keys}/:keyId/widen`,
  params: ids('keyId'),
  authenticate: signedInRequester,
  form: closed({
    scopes: someScopes,
    podcasts: Type.Array(id),
    other_podcasts: Type.Optional(Type.String()),
    all_podcasts: Type.Boolean(),
    current_password: password,
  }),
  async show({ requester, params: { keyId } }, state) {
    const { ctx, session } = requester;
    const key = await getKey(ctx, keyId);
    const more = fieldsOfMore(key, await listOfferedPodcasts(requester));
    const form = {
      action: `${appPages.keys}/${key.id}/widen`,
      fields: [...more, currentPasswordField],
      username: session.email,
      submit: 'Add access',
    };
    return createSettingsPage(requester, {
      title: 'Add access to a key',
      path: appPages.keys,
      state,
      body: html`<p>The key <strong>${key.name}</strong>, ending in <code>${key.lastFour}</code>, keeps its present
access. If it was just rolled, the new access applies to both secrets.</p>
${more.length === 0 ? html`<p>This key already has full access.</p>` : renderForm(form, state)}
<p><a href="${appPages.keys}">Back to your keys</a></p>
`,
    });
  },
  async submit({ requester, params: { keyId } }, values) {
    const podcasts = await readReach(requester, {
      isAll: values.all_podcasts,
      field: 'all_podcasts',
      podcasts: values.podcasts,
      others: values.other_podcasts,
    });
    await widenKey(requester.ctx, {
      keyId,
      scopes: values.scopes,
      podcasts,
      currentPassword: values.current_password,
    });
    return seeOther(sayingDone(appPages.keys, 'widened'));
  },
});

/** What can be added to a key, except podcasts it was cut off from. */
function fieldsOfMore(key: Key, { podcasts, areMore }: OfferedPodcasts): Field[] {
  const { podcasts: had } = key;
  const scopes = userScopes.filter((scope) => !key.scopes.includes(scope));
  const fields: Field[] = scopes.length === 0 ? [] : [scopesField('Add permissions', scopes)];
  if (had === 'all') return fields;
  const others = podcasts.filter(({ id }) => !had.includes(id) && !key.cutOffFrom.includes(id));
  if (others.length > 0) fields.push(podcastsField('Add podcasts', others));
  if (areMore) fields.push(otherPodcastsField);
  const label = 'All my podcasts, including future ones';
  return [...fields, { kind: 'check', name: 'all_podcasts', label }];
}
