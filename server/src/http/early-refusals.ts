import type { IncomingMessage, ServerResponse } from 'node:http';
import { isApiKey } from '../lib/api-key.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpFailure } from './http-errors.ts';
import { keyIn, refusedTooOften } from './requests/authenticate-key.ts';
import type { EarlyHandler } from './requests/isolated-requests.ts';
import { hasKeyInUrl } from './requests/key-in-url.ts';
import { writeFailure } from './responses/failure-response.ts';
import type { Route } from './route.ts';
import { routeGroupOf } from './route-groups.ts';
import { refuseSpent } from './v1/keyed/quota.ts';

/** Writes a refusal without the framework, in the same form. */
function refuseEarly(
  { ctx, counts }: Pick<HttpContext, 'ctx' | 'counts'>,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  failure: HttpFailure,
): true {
  const group = writeFailure(request, response, requestId, failure, ctx.installation);
  counts.add(group.name, failure.status);
  return true;
}

const faultyFraming: HttpFailure = {
  status: 400,
  code: 'invalid_request',
  message: 'HTTP/1.0 does not have Transfer-Encoding.',
  headers: { Connection: 'close' },
};

/**
 * Refuses HTTP/1.0 with `Transfer-Encoding`, and closes the connection (RFC 9112 §6.1): a proxy that
 * doesn't know it ends the body elsewhere, so what follows may be the request of another client.
 */
export class FaultyFraming implements EarlyHandler {
  readonly #http: Pick<HttpContext, 'ctx' | 'counts'>;

  constructor(http: Pick<HttpContext, 'ctx' | 'counts'>) {
    this.#http = http;
  }

  handle(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
    if (request.httpVersion !== '1.0') return false;
    if (request.headers['transfer-encoding'] === undefined) return false;
    return refuseEarly(this.#http, request, response, requestId, faultyFraming);
  }
}

export const publicLimitReached: HttpFailure = {
  status: 429,
  code: 'rate_limited',
  message: 'Too many requests from your network. Try again in a minute.',
  headers: { 'Retry-After': '60' },
};

/**
 * Refuses requests beyond the public limit, and counts those to which no earlier step has responded. A
 * refused request is not counted, so asking again for one that `CachedResponses` has passed on is right.
 */
export class PublicLimit implements EarlyHandler {
  readonly #http: Pick<HttpContext, 'ctx' | 'counts' | 'consumeLimit'>;

  constructor(http: Pick<HttpContext, 'ctx' | 'counts' | 'consumeLimit'>) {
    this.#http = http;
  }

  handle(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    // REQ-14 refuses a key in the address before the request is counted.
    if (!routeGroupOf(url).limited || hasKeyInUrl(url)) return false;
    if (this.#http.consumeLimit(request)) return false;
    return refuseEarly(this.#http, request, response, requestId, publicLimitReached);
  }
}

/**
 * Refuses keyed requests whose refusal needs no look-up: without a well-formed key from a client
 * that has sent too many of these, or with a key that has just been refused. These are the first
 * checks of a keyed route, so a request to any other address is passed on.
 */
export class KeyedLimits implements EarlyHandler {
  readonly #http: HttpContext;
  readonly #paths: ReadonlyMap<string, RegExp>;

  constructor(http: HttpContext, routes: readonly Route[]) {
    this.#http = http;
    this.#paths = pathsOfKeyedRoutes(routes);
  }

  handle(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
    const { method = '', url = '', headers } = request;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const isKeyed = this.#paths.get(method === 'HEAD' ? 'GET' : method)?.test(path) ?? false;
    if (!isKeyed || hasKeyInUrl(url)) return false;
    const failure = this.#refusalOf(request, keyIn(headers));
    if (failure === undefined) return false;
    return refuseEarly(this.#http, request, response, requestId, failure);
  }

  #refusalOf(request: IncomingMessage, key: string): HttpFailure | undefined {
    const { isRefusedLimitReached, spentQuotas, ctx } = this.#http;
    const nowMs = ctx.clock.now().getTime();
    const spent = spentQuotas.find(key, nowMs);
    if (spent !== undefined) return refuseSpent(spent, nowMs);
    return !isApiKey(key) && isRefusedLimitReached(request) ? refusedTooOften : undefined;
  }
}

/** By method. A path that must be decoded first does not match: the router reads it. */
function pathsOfKeyedRoutes(routes: readonly Route[]): ReadonlyMap<string, RegExp> {
  const patterns = new Map<string, string[]>();
  for (const { method, path, access } of routes) {
    if (access !== 'key') continue;
    const pattern = path.replaceAll(/:\w+/g, '[^/%]{1,200}');
    patterns.set(method, [...(patterns.get(method) ?? []), pattern]);
  }
  return new Map(
    [...patterns].map(([method, all]) => [method, new RegExp(`^(?:${all.join('|')})$`)]),
  );
}
