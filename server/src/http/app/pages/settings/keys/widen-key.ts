import Type from 'typebox';
import { getKey, type Key, userScopes, widenKey } from '../../../../../domain/keys/index.ts';
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
import { signedInVisitor } from '../../page-route.ts';
import { keysPath, podcastsField, scopesField } from './key-fields.ts';
import {
  listOfferedPodcasts,
  type OfferedPodcasts,
  otherPodcastsField,
  readOtherPodcasts,
} from './offered-podcasts.ts';

export const widenKeyPage = defineFormPage({
  path: `${keysPath}/:keyId/widen`,
  params: ids('keyId'),
  admit: signedInVisitor,
  form: closed({
    scopes: someScopes,
    podcasts: Type.Array(id),
    other_podcasts: Type.Optional(Type.String()),
    all_podcasts: Type.Boolean(),
    current_password: password,
  }),
  async show({ visitor, params: { keyId } }, state) {
    const { ctx, session } = visitor;
    const key = await getKey(ctx, keyId);
    const more = fieldsOfMore(key, await listOfferedPodcasts(visitor));
    const form = {
      action: `${keysPath}/${key.id}/widen`,
      fields: [...more, currentPasswordField],
      username: session.email,
      submit: 'Give it that too',
    };
    return createSettingsPage(visitor, {
      title: 'Let a key read more',
      path: keysPath,
      state,
      body: html`<p><strong>${key.name}</strong>, ending in <code>${key.lastFour}</code>, keeps what it
has. Both secrets of a key that was just rolled read more.</p>
${more.length === 0 ? html`<p>This key may read everything already.</p>` : renderForm(form, state)}
<p><a href="${keysPath}">Back to your keys</a></p>
`,
    });
  },
  async submit({ visitor, params: { keyId } }, values) {
    const others = await readOtherPodcasts(visitor, values.other_podcasts);
    await widenKey(visitor.ctx, {
      keyId,
      scopes: values.scopes,
      podcasts: values.all_podcasts ? 'all' : [...values.podcasts, ...others],
      currentPassword: values.current_password,
    });
    return seeOther(sayingDone(keysPath, 'widened'));
  },
});

/** What there is to be added to a key; a podcast that it was cut off from is not. */
function fieldsOfMore(key: Key, { podcasts, areMore }: OfferedPodcasts): Field[] {
  const { podcasts: had } = key;
  const scopes = userScopes.filter((scope) => !key.scopes.includes(scope));
  const fields: Field[] = scopes.length === 0 ? [] : [scopesField('May read too', scopes)];
  if (had === 'all') return fields;
  const others = podcasts.filter(({ id }) => !had.includes(id) && !key.cutOffFrom.includes(id));
  if (others.length > 0) fields.push(podcastsField('Of these podcasts too', others));
  if (areMore) fields.push(otherPodcastsField);
  const label = 'Of all podcasts that I work on, now and later';
  return [...fields, { kind: 'check', name: 'all_podcasts', label }];
}
