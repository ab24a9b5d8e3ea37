import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { evaluateConditions } from '../lib/conditional-request.ts';
import { chooseContentCoding } from '../lib/content-coding.ts';
import { corsHeaders } from './cors.ts';
import type { Payload } from './payload.ts';
import type { Entry } from './podcast-cache.ts';
import type { RequestCounts } from './request-counts.ts';
import { type Surface, surfaceOf } from './surfaces.ts';
import type { FastPath } from './web.ts';

interface Known {
  readonly entry: Entry<Payload>;
  readonly surface: Surface;
}

/**
 * The first step of the server: an address that was answered from a cached payload is answered
 * from it again by one look-up, before any framework. The same limit, ids, headers and counts as
 * on the long way; only addresses without a query come here, so no key can be in one.
 */
export class CachedAnswers implements FastPath {
  readonly #known = new LRUCache<string, Known>({ max: 100_000 });
  readonly #nowMs: () => number;
  readonly #counts: RequestCounts;
  readonly #mayProceed: (request: IncomingMessage) => boolean;

  constructor(options: {
    nowMs: () => number;
    counts: RequestCounts;
    mayProceed: (request: IncomingMessage) => boolean;
  }) {
    this.#nowMs = options.nowMs;
    this.#counts = options.counts;
    this.#mayProceed = options.mayProceed;
  }

  remember(url: string, entry: Entry<Payload>): void {
    if (!url.includes('?')) this.#known.set(url, { entry, surface: surfaceOf(url) });
  }

  /** False: nothing was done, the request goes the long way. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (request.headers['if-match'] !== undefined) return false;
    const known = this.#known.get(url);
    if (known === undefined) return false;
    if (!known.entry.isLive(this.#nowMs())) {
      this.#known.delete(url);
      return false;
    }
    // The long way refuses with words; it finds the minute as used up as we do.
    if (known.surface.limited && !this.#mayProceed(request)) return false;
    this.#send(method, request, response, known);
    return true;
  }

  #send(
    method: string,
    request: IncomingMessage,
    response: ServerResponse,
    { entry, surface }: Known,
  ): void {
    const payload = entry.value;
    const { headers } = request;
    const variant = payload.variants[chooseContentCoding(headers['accept-encoding'])];
    const notModified =
      headers['if-none-match'] !== undefined &&
      evaluateConditions(method, headers, { hash: payload.hash }) === 'not_modified';
    const status = notModified ? 304 : 200;
    const base = notModified ? variant.notModifiedHeaders : variant.headers;
    response.writeHead(status, [
      ...base,
      ...(surface.cors ? corsHeaders : []),
      'X-Request-Id',
      randomUUID(),
    ]);
    if (!notModified && method === 'GET') response.end(variant.body);
    else response.end();
    this.#counts.add(surface.name, status);
  }
}
