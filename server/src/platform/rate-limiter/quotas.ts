/**
 * Counts requests of keys exactly, across processes (service.md, Limits: keyed reads). A window
 * begins with a key's first request and lasts 60 seconds.
 */
export interface Quotas {
  /**
   * Takes one of `limit` requests if one is left; a refused one is not counted. Never rejects.
   *
   * @param key whose quota it is: a user's, a plan's
   * @param nowMs the present, in milliseconds since 1970
   */
  consume(key: string, limit: number, nowMs: number): Promise<Taken>;
}

export interface Taken {
  readonly allowed: boolean;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Milliseconds until the window ends and the quota is full again; more than 0. */
  readonly resetsInMs: number;
}

export interface QuotasOptions {
  /** How many keys a process remembers; default 50,000. */
  readonly maxKeys?: number;
}

export const quotaWindowMs = 60_000;
