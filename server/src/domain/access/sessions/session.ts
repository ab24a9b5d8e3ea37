import { blockOfNetwork } from '../../../lib/client-network.ts';
import type { Language } from '../../../lib/languages.ts';
import { sessionIdleDays } from '../../../lib/limits.ts';
import type { HashingClient } from '../../foundation/accounts/index.ts';

const dayMs = 24 * 3_600_000;

/** A session ends after this long without use. */
export const idleMs = sessionIdleDays * dayMs;
/** The longest life of a session. */
export const longestMs = 365 * dayMs;
/** A session's row is updated at most this often, so "last used" is this exact. */
export const renewalMs = 3_600_000;

/** For each user; one more ends the least recently used. */
export const maxSessions = 100;

const maxUserAgentChars = 300;

/** The client's part of a request that verbs may know. */
export interface Client {
  /** `clientNetwork` of its address. It is stored only as an HMAC, to count and compare. */
  readonly network: string;
  readonly userAgent?: string | undefined;
  /** From `newDeviceToken`, if its browser has one. */
  readonly deviceToken?: string | undefined;
}

/** Whose turns hashing a password for this client takes. */
export function hashingClientOf({ network }: Client): HashingClient {
  return { block: blockOfNetwork(network) };
}

/** A signed-in browser. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** Exact to the hour. */
  readonly lastUsedAt: Date;
  /** Moves with every use. */
  readonly expiresAt: Date;
}

/** The session of a request with a valid cookie. */
export interface FoundSession extends Session {
  readonly accountId: string;
  readonly userName: string;
  readonly email: string;
  /** The version of the terms that this user accepted last. */
  readonly acceptedTerms: string | null;
  /** Null if the user has none yet. */
  readonly language: Language | null;
  /** This request moved `expiresAt`; renew the cookie too. */
  readonly isRenewed: boolean;
}

/** A new session. Only cookies contain the tokens. */
export interface SignedIn {
  readonly token: string;
  readonly session: Session;
  /** Recognizes the browser later (`newDeviceToken`). */
  readonly deviceToken: string;
}

export function sessionEnd(session: Pick<Session, 'createdAt' | 'lastUsedAt'>): Date {
  const { createdAt, lastUsedAt } = session;
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, createdAt.getTime() + longestMs));
}

export function shortUserAgent({ userAgent }: Client): string | null {
  // Cuts by code points, because the database accepts no lone surrogates.
  return userAgent === undefined ? null : [...userAgent].slice(0, maxUserAgentChars).join('');
}
