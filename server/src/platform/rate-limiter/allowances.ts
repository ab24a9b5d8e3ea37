/**
 * Counts requests of keys exactly (service.md, Limits: keyed reads): what one process takes, the
 * others no longer have. A window begins with the first request of a key and lasts 60 seconds.
 */
export interface Allowances {
  /**
   * Takes one of `limit` requests if one is left; a refused one is not counted. Never rejects.
   *
   * @param key whose allowance it is: a user's, a plan's
   * @param nowMs the present, in milliseconds since 1970
   */
  take(key: string, limit: number, nowMs: number): Promise<Taken>;
}

export interface Taken {
  readonly allowed: boolean;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Until the window ends and all are there again; more than 0. */
  readonly resetsInMs: number;
}

export interface AllowancesOptions {
  /** How many keys a process remembers; default 200,000. */
  readonly maxKeys?: number;
}

export const allowanceWindowMs = 60_000;
