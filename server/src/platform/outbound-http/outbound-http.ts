import type { Readable } from 'node:stream';

export type OutboundFailure =
  | 'bad_address' // not an absolute http(s) address, or one with login details
  | 'https_required'
  | 'address_not_allowed' // resolves to a private, loopback, link-local … network
  | 'unreachable' // no such host, refused, reset, TLS failure, broken HTTP or coding
  | 'timeout'
  | 'too_many_redirects'
  | 'too_large'
  | 'http_status'; // an answer other than the ones asked for

export class OutboundError extends Error {
  readonly reason: OutboundFailure;
  /** The HTTP status, for `http_status`. */
  readonly status: number | undefined;

  constructor(
    reason: OutboundFailure,
    message: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'OutboundError';
    this.reason = reason;
    this.status = options.status;
  }
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** `User-Agent` is the service's own. To another origin only harmless ones are carried over. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Refused with `too_large` as soon as more has arrived, whatever Content-Length said. */
  readonly maxBytes: number;
  /** For the whole exchange, redirects and body included. */
  readonly timeoutMs: number;
  /** The longest silence while the body arrives; default 15 s. */
  readonly idleTimeoutMs?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Refuse http, at the first address and after every redirect. */
  readonly httpsOnly?: boolean;
  /** Rejects with the signal's own reason. */
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** Where the last redirect led. */
  readonly url: string;
  /**
   * Where permanent redirects (301, 308) alone led, up to the first temporary one: what a stored
   * address may be replaced with. The address asked for when there was none.
   */
  readonly permanentUrl: string;
  /** Lower-case names; values as sent, so `content-length` is the coded body's. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Decoded of gzip, deflate, br and zstd; counted against `maxBytes` after decoding. Its errors
   * are OutboundErrors. Must be consumed or destroyed.
   */
  readonly body: Readable;
}

/**
 * The one way out of the service: every address that a stranger can name goes through here.
 * Connects to public addresses only, checked on the address really connected to, at every hop
 * (DNS rebinding does no good); OUTBOUND_ALLOW names networks let through besides.
 */
export interface OutboundHttp extends AsyncDisposable {
  request(url: string, request: OutboundRequest): Promise<OutboundResponse>;
  /** The body as text or bytes of at most maxBytes; statuses other than 200 are `http_status`. */
  fetchBytes(
    url: string,
    request: OutboundRequest,
  ): Promise<{ bytes: Buffer; response: OutboundResponse }>;
}
