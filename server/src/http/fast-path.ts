import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { evaluateConditions } from '../lib/conditional-request.ts';
import { type ContentCoding, chooseContentCoding } from '../lib/content-coding.ts';
import { corsHeaders } from './cors.ts';
import { keepTickShape } from './keep-tick-shape.ts';
import type { Payload, Variant } from './payload.ts';
import type { Entry } from './podcast-cache.ts';
import type { RequestCounts } from './request-counts.ts';
import { RequestIds } from './request-ids.ts';
import { type Surface, surfaceOf } from './surfaces.ts';
import type { FastPath } from './web.ts';

interface Known {
  /** Weak: a payload that its cache has let go of is not kept in memory by its addresses. */
  readonly entry: WeakRef<Entry<Payload>>;
  readonly surface: Surface;
  /** As far as they were asked for. */
  readonly heads: Partial<Record<ContentCoding, Heads>>;
}

/** Headers, name, value …; the last one is the id, which each answer fills in for itself. */
interface Heads {
  readonly whole: string[];
  readonly notModified: string[];
}

const mostAddresses = 100_000;

/**
 * The first step of the server: an address that was answered from a cached payload is answered
 * from it again by one look-up, before any framework. The same limit, ids, headers and counts as
 * on the long way; only addresses without a query come here, so no key can be in one.
 */
export class CachedAnswers implements FastPath {
  readonly #known = new LRUCache<string, Known>({ max: mostAddresses });
  readonly #nowMs: () => number;
  readonly #counts: RequestCounts;
  readonly #mayProceed: (request: IncomingMessage) => boolean;
  readonly #ids = new RequestIds();

  constructor(options: {
    nowMs: () => number;
    counts: RequestCounts;
    mayProceed: (request: IncomingMessage) => boolean;
  }) {
    this.#nowMs = options.nowMs;
    this.#counts = options.counts;
    this.#mayProceed = options.mayProceed;
    keepTickShape();
  }

  remember(url: string, entry: Entry<Payload>): void {
    if (url.includes('?')) return;
    this.#known.set(url, { entry: new WeakRef(entry), surface: surfaceOf(url), heads: {} });
  }

  /** False: nothing was done, the request goes the long way. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (request.headers['if-match'] !== undefined) return false;
    const known = this.#known.get(url);
    if (known === undefined) return false;
    const entry = known.entry.deref();
    if (entry?.isLive(this.#nowMs()) !== true) {
      this.#known.delete(url);
      return false;
    }
    // The long way refuses with words; it finds the minute as used up as we do.
    if (known.surface.limited && !this.#mayProceed(request)) return false;
    this.#send(request, response, known, entry.value);
    return true;
  }

  #send(
    { method = '', headers }: IncomingMessage,
    response: ServerResponse,
    known: Known,
    payload: Payload,
  ): void {
    const { surface, heads } = known;
    const coding = chooseContentCoding(headers['accept-encoding']);
    const variant = payload.variants[coding];
    heads[coding] ??= createHeads(variant, surface);
    const notModified = isNotModified(method, headers, payload, variant);
    const head = notModified ? heads[coding].notModified : heads[coding].whole;
    const status = notModified ? 304 : 200;
    // Node has read the list when writeHead returns: it serves one answer after the other.
    head[head.length - 1] = this.#ids.next();
    response.writeHead(status, head);
    if (!notModified && method === 'GET') response.end(variant.body, 'latin1');
    else response.end();
    this.#counts.add(surface.name, status);
  }
}

function createHeads({ headers, notModifiedHeaders }: Variant, { cors }: Surface): Heads {
  const standing = [...(cors ? corsHeaders : []), 'X-Request-Id', ''];
  return {
    whole: [...headers, ...standing],
    notModified: [...notModifiedHeaders, ...standing],
  };
}

/** Most send back just what they were given, and that is compared first. */
function isNotModified(
  method: string,
  headers: IncomingMessage['headers'],
  { hash }: Payload,
  { etag }: Variant,
): boolean {
  const asked = headers['if-none-match'];
  if (asked === undefined) return false;
  return asked === etag || evaluateConditions(method, headers, { hash }) === 'not_modified';
}
