const dayMs = 24 * 3_600_000;

/** Unused for so long, a session ends. */
export const idleMs = 30 * dayMs;
/** However much it is used. */
export const longestMs = 365 * dayMs;
/** How exact "last used" is: a session is written to once in so long, not with each request. */
export const renewalMs = 3_600_000;

/** Of one user; with another, the one that was not used for longest ends. */
export const maxSessions = 100;

const maxUserAgentChars = 300;

/** Where a request comes from, as far as verbs may know. */
export interface Client {
  /** `clientNetwork` of its address. Never stored: it is counted, and compared, under an HMAC. */
  readonly network: string;
  readonly userAgent?: string | undefined;
}

/** One browser that is signed in. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  /** To the hour. */
  readonly lastUsedAt: Date;
  /** Unless it is used until then. */
  readonly expiresAt: Date;
}

/** What a request with a good cookie acts as. */
export interface FoundSession extends Session {
  readonly accountId: string;
  readonly userName: string;
  readonly email: string;
  /** The version of the terms this user agreed to last. */
  readonly acceptedTerms: string | null;
  /** `expiresAt` was moved just now; the cookie's should be too. */
  readonly isRenewed: boolean;
}

/** A session just begun. The token is the cookie's, and nowhere else. */
export interface SignedIn {
  readonly token: string;
  readonly session: Session;
}

export function sessionEnd(session: Pick<Session, 'createdAt' | 'lastUsedAt'>): Date {
  const { createdAt, lastUsedAt } = session;
  return new Date(Math.min(lastUsedAt.getTime() + idleMs, createdAt.getTime() + longestMs));
}

export function shortUserAgent({ userAgent }: Client): string | null {
  // Cut by characters, so that none is halved: a lone surrogate is no text to a database.
  return userAgent === undefined ? null : [...userAgent].slice(0, maxUserAgentChars).join('');
}
