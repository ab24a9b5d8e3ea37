import {
  expiryChoicesDays,
  type Grace,
  graces,
  type Scope,
  userScopes,
} from '../../../../../domain/keys/index.ts';
import type { MyPodcast } from '../../../../../domain/podcasts/index.ts';
import type { ChoiceField, TextField } from '../../fields.ts';

/** Fields of the forms about keys, and the words for what they choose from. */

export const keysPath = '/app/settings/keys';

const scopeWords: Readonly<Record<Scope, string>> = {
  'podcasts:read': 'your podcasts, and your role on each',
  'analytics:read': 'download figures of podcasts that you own',
  'episodes:read': 'episodes with their notes and people, drafts and scheduled ones too',
  'transcripts:read': 'transcripts',
  'sites:write': 'reports of a connected site',
};

export const nameField: TextField = {
  kind: 'text',
  name: 'name',
  label: 'Name',
  hint: 'What the key is for, so that you know it again.',
  autocomplete: 'off',
  maxLength: 100,
};

export function scopesField(label: string, offered: readonly Scope[] = userScopes): ChoiceField {
  return {
    kind: 'some-of',
    name: 'scopes',
    label,
    hint: 'A key only ever reads. Give it no more than it needs: it can be given more later.',
    choices: offered.map((scope) => ({ value: scope, label: scope, hint: scopeWords[scope] })),
  };
}

export function podcastsField(label: string, podcasts: readonly MyPodcast[]): ChoiceField {
  return {
    kind: 'some-of',
    name: 'podcasts',
    label,
    choices: podcasts.map(({ id, title, slug }) => ({ value: id, label: title, hint: slug })),
  };
}

export const expiryField: ChoiceField = {
  kind: 'one-of',
  name: 'expires_in_days',
  label: 'Expires',
  hint: 'You get a letter seven days before.',
  choices: expiryChoicesDays.map((days) => ({
    value: String(days),
    label: days === 365 ? 'in one year' : `in ${days} days`,
  })),
};

const graceWords: Readonly<Record<Grace, string>> = {
  none: 'It stops working at once',
  '1h': 'It works for another hour',
  '24h': 'It works for another 24 hours',
};

export const graceField: ChoiceField = {
  kind: 'one-of',
  name: 'grace',
  label: 'The old secret',
  hint: 'Leave it some time if you need that to put the new one in its place. If somebody else may have it: none.',
  choices: graces.map((grace) => ({ value: grace, label: graceWords[grace] })),
};
