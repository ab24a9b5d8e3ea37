import { isDisplayName } from '../../../lib/display-name.ts';
import { maxChars } from '../../../lib/limits.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { type Scope, userScopes } from '../../foundation/enumerations.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import {
  type ExpiryDays,
  expiryChoicesDays,
  type Grace,
  graces,
  type Key,
  maxNamedPodcasts,
} from './key.ts';

export type KeyFields = Pick<Key, 'name' | 'scopes' | 'podcasts'> & {
  readonly expiresInDays: ExpiryDays;
};

type GivenFields = { readonly [Field in keyof KeyFields]?: KeyFields[Field] | undefined };

/**
 * Returns all validation errors. Whether the user may name the podcasts is checked when the key is
 * made.
 */
export function checkKey(fields: GivenFields): ErrorDetail[] {
  const { name, scopes, podcasts, expiresInDays } = fields;
  const details: ErrorDetail[] = [];
  if (name !== undefined && !isDisplayName(name, maxChars.keyName)) {
    details.push({ field: 'name', ...sayRefusal('name_length', { max: maxChars.keyName }) });
  }
  if (scopes !== undefined && (scopes.length === 0 || !scopes.every(isUserScope))) {
    details.push({
      field: 'scopes',
      ...sayRefusal('key_scopes', { scopes: userScopes.join(', ') }),
    });
  }
  if (podcasts !== undefined && podcasts !== 'all' && !isListOfIds(podcasts)) {
    details.push({ field: 'podcasts', ...sayRefusal('key_podcasts', { max: maxNamedPodcasts }) });
  }
  if (expiresInDays !== undefined && !expiryChoicesDays.includes(expiresInDays)) {
    const message = `Choose an expiry of ${expiryChoicesDays.join(', ')} days.`;
    details.push({ field: 'expires_in_days', message });
  }
  return details;
}

export function checkGrace(grace: Grace | undefined): ErrorDetail[] {
  if (grace === undefined || graces.includes(grace)) return [];
  return [{ field: 'grace', message: `The grace must be one of ${graces.join(', ')}.` }];
}

/** Lists each scope once, in the order in which the API lists them. */
export function sortScopes(scopes: readonly Scope[]): Scope[] {
  return userScopes.filter((scope) => scopes.includes(scope));
}

function isUserScope(scope: Scope): boolean {
  return userScopes.some((known) => known === scope);
}

function isListOfIds(podcasts: readonly string[]): boolean {
  return podcasts.length > 0 && podcasts.length <= maxNamedPodcasts && podcasts.every(isUuid);
}
