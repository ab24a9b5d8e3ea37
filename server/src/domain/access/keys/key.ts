import { siteRegistrationHours } from '../../../lib/limits.ts';
import { type KeyKind, type Scope, userScopes } from '../../foundation/enumerations.ts';

/** `all`: every podcast its user is a member of, now and later. Otherwise ids, oldest podcast first. */
export type KeyPodcasts = 'all' | readonly string[];

/** How long a key may live, counted from when it is made or rolled. */
export const expiryChoicesDays = [30, 90, 180, 365] as const;
export type ExpiryDays = (typeof expiryChoicesDays)[number];

/** How much longer a rolled key's old secret works. */
export const graces = ['none', '1h', '24h'] as const;
export type Grace = (typeof graces)[number];

export const maxActiveKeys = 10;
/** The most keys in a user's list. Of those that have ended, no more are kept. */
export const maxListedKeys = 100;
/** How long after it is made a site's key may be registered. */
export const registrationMs = siteRegistrationHours * 3_600_000;
/** The life of a site's key. */
export const siteKeyDays = 365 satisfies ExpiryDays;
/**
 * The podcasts that one key may name: as many as fit in a request body. `all` has no such limit.
 */
export const maxNamedPodcasts = 1_000;

/** A key as its user sees it: never the secret, which is shown once. */
export interface Key {
  readonly id: string;
  readonly userId: string;
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Excludes the podcasts that the key was cut off from. */
  readonly podcasts: KeyPodcasts;
  /** Permanent. */
  readonly cutOffFrom: readonly string[];
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  /** The old secret of a rolled key, while it works. */
  readonly replaced: { readonly lastFour: string; readonly worksUntil: Date } | null;
  readonly lastUse: KeyUse | null;
}

/** When, to the minute, and from where a key was used. */
export interface KeyUse {
  readonly at: Date;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** `AS15169 Google LLC` */
  readonly network: string | null;
}

/** A key and its secret, which is never shown again. */
export interface KeyWithSecret {
  readonly key: Key;
  readonly secret: string;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export function keyStateOf(key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (isActive(key, now)) return 'active';
  return key.revokedAt === null ? 'expired' : 'revoked';
}

/** What its user may do with a key, so that a screen offers only that. */
export interface KeyRights {
  readonly mayRoll: boolean;
  readonly mayWiden: boolean;
  /** The scopes that widening can add. */
  readonly mayAddScopes: readonly (typeof userScopes)[number][];
}

export function keyRightsOf(
  key: Pick<Key, 'revokedAt' | 'expiresAt' | 'scopes'>,
  now: Date,
): KeyRights {
  const mayChange = isActive(key, now);
  const missing = userScopes.filter((scope) => !key.scopes.includes(scope));
  return { mayRoll: mayChange, mayWiden: mayChange, mayAddScopes: mayChange ? missing : [] };
}

export function isActive(key: Pick<Key, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt === null && key.expiresAt > now;
}
