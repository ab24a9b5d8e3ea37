import type { Readable } from 'node:stream';

export type OutboundFailure =
  | 'bad_address' // not an absolute http(s) URL, or one with user information
  | 'https_required'
  | 'address_not_allowed' // resolves to a private, loopback … network, or this machine
  | 'unreachable' // no such host, refused, reset, TLS failure, broken HTTP or coding
  | 'timeout'
  | 'too_slow' // below the minimum rate
  | 'too_many_redirects'
  | 'too_large'
  | 'http_status'; // an unexpected status

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

/** Of a body, as it arrives, before decoding. */
export interface MinimumRate {
  readonly bytesPerSecond: number;
  /** The average over each period of this length counts, so shorter transfers may be slower. */
  readonly periodMs: number;
}

/**
 * Far below the slowest host in use, even if it shares our connection with a dozen others. A server
 * that only dribbles costs a minute.
 */
export const defaultMinimumRate: MinimumRate = { bytesPerSecond: 5_000, periodMs: 60_000 };

export type OutboundBody = string | readonly Buffer[];

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** The service sets `User-Agent`. Only harmless headers are sent to other origins. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Pieces are sent as fast as the server reads them, and are not copied for a redirect. */
  readonly body?: OutboundBody;
  /** More data fails with `too_large`, whatever Content-Length says. */
  readonly maxBytes: number;
  /** For the whole exchange, including redirects and body. */
  readonly timeoutMs: number;
  /** For DNS, TCP and TLS of each hop; default: as long as the response may take. */
  readonly connectTimeoutMs?: number;
  /** The longest pause without data while the body arrives; default 15 s. */
  readonly idleTimeoutMs?: number;
  /** Slower bodies fail with `too_slow`; default `defaultMinimumRate`. */
  readonly minimumRate?: MinimumRate | undefined;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Refuses http, for the first URL and every redirect. */
  readonly httpsOnly?: boolean;
  /** Allows http only within OUTBOUND_ALLOW, for the first URL and every redirect. */
  readonly httpWithinAllowOnly?: boolean;
  /** Called with the first URL and that of every redirect before each request; it may throw. */
  readonly checkAddress?: ((address: string) => void) | undefined;
  /**
   * After a 403, tries once more with the other User-Agent: firewalls of podcast hosts refuse
   * programs that they do not know. Within the same time.
   */
  readonly triesSecondAgent?: boolean;
  /**
   * The host gets many requests: its connection may be one that has had another request, and is kept for
   * the next if the whole response was read. Then a server may get the request twice.
   */
  readonly keepsConnection?: boolean;
  /** Rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** The URL after redirects. */
  readonly url: string;
  /**
   * The URL after the leading permanent redirects (301, 308), which may replace a stored URL. The
   * requested URL if there was none.
   */
  readonly permanentUrl: string;
  /** Lower-case names; values as sent, so `content-length` is that of the coded body. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Decoded from gzip, or from br and deflate if the request accepts them; `maxBytes` applies after
   * decoding. Other codings, and several, fail as `unreachable`, as all failures with OutboundError. Must
   * be consumed or destroyed.
   */
  readonly body: Readable;
}

/**
 * The only way out of the service: every URL that strangers can supply is requested here. Connects
 * to public addresses only, and to those of this machine only on the ports of the web, checked on
 * the connected address at every hop, which defeats DNS rebinding. OUTBOUND_ALLOW adds networks.
 */
export interface OutboundHttp extends AsyncDisposable {
  request(url: string, request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * The body as text or bytes, at most maxBytes; other statuses than 200 fail with `http_status`.
   */
  fetchBytes(
    url: string,
    request: OutboundRequest,
  ): Promise<{ bytes: Buffer; response: OutboundResponse }>;
}

/**
 * Maps a network error to one of the port's reasons. Everything except a timeout counts as
 * `unreachable`: DNS, TCP, TLS, broken HTTP, a body that does not decode.
 */
export function toOutboundError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  // An invalid header is the caller's bug, not a network error.
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') return error;
  const reason = code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
  return new OutboundError(reason, `${host}: ${code}`, { cause: error });
}

/** Parses an absolute http(s) URL without user information; throws `bad_address` otherwise. */
export function parseOutboundUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new OutboundError('bad_address', 'not an absolute URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('bad_address', `${url.protocol} is neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('bad_address', `${describeUrl(url)} contains user information`);
  }
  return url;
}

/** A URL for messages to those who gave it, without its query, which may contain a token. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** A message for logs: the paths of private feeds contain tokens, too. */
export function withoutPaths(message: string): string {
  return message.replaceAll(/(https?:\/\/[^\s/?#]+)[/?#]\S*/gi, '$1');
}

/**
 * The target of a redirect. Header values arrive as bytes; a Location in raw UTF-8 is decoded, as
 * in browsers.
 */
export function resolveLocation(location: string, base: URL): URL {
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return parseOutboundUrl(text.includes('\ufffd') ? location : text, base);
}
