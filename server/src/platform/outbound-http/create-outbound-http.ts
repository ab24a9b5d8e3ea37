import { Readable } from 'node:stream';
import { collectBytes } from '../../lib/byte-collector.ts';
import { type FinalHop, followRedirects } from './follow-redirects.ts';
import { KeptConnections } from './kept-connections.ts';
import { createLookup, type LookupAddresses } from './lookup-addresses.ts';
import { openHop } from './open-hop.ts';
import { compatibleUserAgent, startingHeaders } from './outbound-headers.ts';
import {
  defaultMinimumRate,
  describeUrl,
  OutboundError,
  type OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  parseOutboundUrl,
  toOutboundError,
} from './outbound-http.ts';
import {
  type AddressFilter,
  type AddressRules,
  createAddressFilter,
  createAllowedFilter,
} from './public-address.ts';
import { receiveBody } from './receive-body.ts';

export interface OutboundHttpOptions extends AddressRules {
  /** `Podstead/1.0 (+<base_url>)`. */
  readonly userAgent: string;
  /** For tests: the resolver of host names. */
  readonly lookup?: LookupAddresses;
  /** For tests: the only certificate authority, in PEM. */
  readonly authority?: string;
}

const defaultIdleTimeoutMs = 15_000;
const defaultMaxRedirects = 5;

/**
 * The production OutboundHttp. Throws for an `allow` entry that is neither a network nor an
 * address. Ignores proxy settings of the environment, because a proxy would connect without our
 * checks.
 */
export function createOutboundHttp(options: OutboundHttpOptions): OutboundHttp {
  return new DirectOutboundHttp(options);
}

class DirectOutboundHttp implements OutboundHttp {
  readonly #isAllowed: AddressFilter;
  readonly #isInAllow: AddressFilter;
  readonly #lookupAddresses: LookupAddresses;
  readonly #userAgent: string;
  readonly #authority: string | undefined;
  readonly #underWay = new Set<AbortController>();
  readonly #kept = new KeptConnections();
  #isClosed = false;

  constructor(options: OutboundHttpOptions) {
    this.#isAllowed = createAddressFilter(options);
    this.#isInAllow = createAllowedFilter(options.allow);
    this.#lookupAddresses = options.lookup ?? createLookup();
    this.#userAgent = options.userAgent;
    this.#authority = options.authority;
  }

  async request(address: string, request: OutboundRequest): Promise<OutboundResponse> {
    const startedAt = performance.now();
    const response = await this.#request(address, request, this.#userAgent);
    if (response.status !== 403 || request.triesSecondAgent !== true) return response;
    response.body.destroy();
    const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - startedAt));
    const second = compatibleUserAgent(this.#userAgent);
    return await this.#request(address, { ...request, timeoutMs }, second);
  }

  async #request(
    address: string,
    request: OutboundRequest,
    userAgent: string,
  ): Promise<OutboundResponse> {
    if (this.#isClosed) throw closing();
    const url = parseOutboundUrl(address);
    const { method = 'GET', body, maxRedirects = defaultMaxRedirects } = request;
    const { httpsOnly = false, checkAddress } = request;
    const headers = startingHeaders(request.headers ?? {}, userAgent);
    const { signal, end } = beginExchange(describeUrl(url), request, this.#underWay);
    const isWithin = request.httpWithinAllowOnly === true ? this.#isInAllow : this.#isAllowed;
    const isAllowed = { 'http:': isWithin, 'https:': this.#isAllowed };
    const hopRules = {
      lookupAddresses: this.#lookupAddresses,
      authority: this.#authority,
      connectTimeoutMs: request.connectTimeoutMs,
      kept: request.keepsConnection === true ? this.#kept : undefined,
      signal,
    };
    try {
      signal.throwIfAborted();
      const first = { url, method, headers, body };
      const redirectRules = { maxRedirects, httpsOnly, checkAddress };
      const final = await followRedirects(first, redirectRules, (hop) => {
        const protocol = hop.url.protocol === 'http:' ? 'http:' : 'https:';
        return openHop(hop, { ...hopRules, isAllowed: isAllowed[protocol] });
      });
      return toResponse(final, request, signal, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  async fetchBytes(address: string, request: OutboundRequest) {
    const response = await this.request(address, request);
    if (response.status !== 200) {
      response.body.destroy();
      const { status } = response;
      const message = `${describeUrl(new URL(response.url))} returned status ${status}`;
      throw new OutboundError('http_status', message, { status });
    }
    return { bytes: await collectBytes(response.body), response };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const exchange of this.#underWay) exchange.abort(closing());
    this.#kept[Symbol.dispose]();
  }
}

function closing(): OutboundError {
  return new OutboundError('unreachable', 'the outbound client is closing');
}

/** The lifetime of an exchange, with redirects and body; ended by its timeout, its caller or us. */
function beginExchange(
  name: string,
  request: OutboundRequest,
  underWay: Set<AbortController>,
): { signal: AbortSignal; end: () => void } {
  const exchange = new AbortController();
  const timer = setTimeout(() => {
    const message = `${name} took longer than ${request.timeoutMs} ms`;
    exchange.abort(new OutboundError('timeout', message));
  }, request.timeoutMs);
  const abort = () => exchange.abort(request.signal?.reason);
  request.signal?.addEventListener('abort', abort);
  if (request.signal?.aborted) abort();
  underWay.add(exchange);
  const end = () => {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
    underWay.delete(exchange);
  };
  return { signal: exchange.signal, end };
}

function toResponse(
  { response, hop, permanentUrl }: FinalHop,
  request: OutboundRequest,
  signal: AbortSignal,
  end: () => void,
): OutboundResponse {
  const { maxBytes, idleTimeoutMs = defaultIdleTimeoutMs } = request;
  const { minimumRate = defaultMinimumRate } = request;
  const { status, headers } = response;
  const head = { status, url: hop.url.href, permanentUrl, headers };
  if (hop.method === 'HEAD' || status === 204 || status === 304) {
    // These have no body, whatever their headers say.
    response.close();
    end();
    return { ...head, body: Readable.from([]) };
  }
  // Also ends what has arrived but not been read.
  let body: Readable | undefined;
  const abort = () => body?.destroy(signal.reason);
  const onClose = () => {
    signal.removeEventListener('abort', abort);
    response.close();
    end();
  };
  try {
    // An error page may be long; only its status matters.
    if (status < 300 && Number(headers['content-length']) > maxBytes) {
      throw new OutboundError(
        'too_large',
        `${describeUrl(hop.url)} has more than ${maxBytes} bytes`,
      );
    }
    const explain = (error: unknown) =>
      signal.aborted ? signal.reason : toOutboundError(error, hop.url.host);
    const contentEncoding = headers['content-encoding'];
    const limits = { maxBytes, idleTimeoutMs, minimumRate };
    const acceptEncoding = hop.headers['accept-encoding'];
    const rules = { ...limits, contentEncoding, acceptEncoding, explain, onClose };
    body = receiveBody(response.body, rules);
    signal.addEventListener('abort', abort);
    return { ...head, body };
  } catch (error) {
    onClose();
    throw error;
  }
}
