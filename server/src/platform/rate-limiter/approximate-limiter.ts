/**
 * Limits requests per client (service.md, Limits: public reads; counters are approximate). It is
 * called on every public request, so it decides synchronously from memory.
 */
export interface ApproximateLimiter extends AsyncDisposable {
  /**
   * Whether the client may make one more request now. A refused one is not counted. A client's
   * window begins with its first request and lasts 60 seconds. The networks of an IPv6 /48 share a
   * window with a multiple of the limit (`limitsOfNetwork`).
   *
   * @param network one client network: an IPv4 address, an IPv6 /64
   * @param nowMs the present, in milliseconds since 1970
   */
  consume(network: string, nowMs: number): boolean;
  /** Whether `consume` would refuse the client now. */
  isUsedUp(network: string, nowMs: number): boolean;
}

export interface LimiterOptions {
  /** Requests per window and client network; 0 switches the limiter off. */
  readonly limit: number;
  /** Default 60,000. */
  readonly windowMs?: number;
  /** How many networks are remembered; default 50,000, about 14 MB. An IPv6 client has two: its /64 and its /48. */
  readonly maxKeys?: number;
}
