/**
 * Counts requests per client and refuses those beyond the limit (service.md, Limits: public reads;
 * counters are approximate). Asked on every public request, so it answers at once, from memory.
 */
export interface ApproximateLimiter extends AsyncDisposable {
  /**
   * Whether the client may make one more request now. A refused one is not counted. A client's
   * window begins with its first request and lasts 60 seconds.
   *
   * @param key one client network: an IPv4 address, an IPv6 /64
   * @param nowMs the present, in milliseconds since 1970
   */
  consume(key: string, nowMs: number): boolean;
}

export interface LimiterOptions {
  /** Requests per window and key; 0 switches the limiter off. */
  readonly limit: number;
  /** Default 60,000. */
  readonly windowMs?: number;
  /** How many clients are remembered; default 200,000, about 55 MB when all of them are there. */
  readonly maxKeys?: number;
}
