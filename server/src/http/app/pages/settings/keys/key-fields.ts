import { expiryChoicesDays, type Grace, graces } from '../../../../../domain/keys/index.ts';
import { type Scope, userScopes } from '../../../../../domain/permissions/index.ts';
import type { MyPodcast } from '../../../../../domain/podcasts/index.ts';
import type { ChoiceField, TextField } from '../../fields.ts';

/** Fields of the key forms, and the texts of their choices. */

const scopeWords: Readonly<Record<Scope, string>> = {
  'podcasts:read': 'your podcasts, and your role in each',
  'analytics:read': 'download statistics of podcasts that you own',
  'episodes:read': 'episodes with notes and people, including drafts and scheduled episodes',
  'transcripts:read': 'transcripts',
  'sites:write': 'reports of a connected site',
};

export const nameField: TextField = {
  kind: 'text',
  name: 'name',
  label: 'Name',
  hint: 'Describe what the key is for.',
  autocomplete: 'off',
  maxLength: 100,
};

export function scopesField(label: string, offered: readonly Scope[] = userScopes): ChoiceField {
  return {
    kind: 'some-of',
    name: 'scopes',
    label,
    hint: 'Keys can only read. Choose what this key needs; you can add more later.',
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
  hint: 'We will email you seven days before.',
  choices: expiryChoicesDays.map((days) => ({
    value: String(days),
    label: days === 365 ? 'in one year' : `in ${days} days`,
  })),
};

const graceWords: Readonly<Record<Grace, string>> = {
  none: 'Stops working immediately',
  '1h': 'Works for one more hour',
  '24h': 'Works for 24 more hours',
};

export const graceField: ChoiceField = {
  kind: 'one-of',
  name: 'grace',
  label: 'The old secret',
  hint: 'Keep it while you replace it with the new one. If somebody else may have it, stop it immediately.',
  choices: graces.map((grace) => ({ value: grace, label: graceWords[grace] })),
};
