import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { evaluateConditions } from '../../lib/conditional-request.ts';
import { type ContentCoding, chooseContentCoding } from '../../lib/content-coding.ts';
import { type Freshness, tryConfirm } from '../../platform/database/announcements/freshness.ts';
import type { FastPath } from '../http-context.ts';
import type { RequestCounts } from '../monitoring/request-counts.ts';
import type { EarlyHandler } from '../requests/isolated-requests.ts';
import type { BodySender } from '../responses/body-sender.ts';
import { corsHeaders } from '../responses/default-headers.ts';
import type { Payload, Variant } from '../responses/payload.ts';
import { type RouteGroup, routeGroupOf } from '../route-groups.ts';
import type { Entry } from './podcast-cache.ts';
import { warmTickObject } from './warm-tick-object.ts';

interface Known {
  /** Weak, so that addresses do not keep a payload in memory that its cache has dropped. */
  readonly entry: WeakRef<Entry<Payload>>;
  readonly group: RouteGroup;
  /** Those of the codings that were requested so far. */
  readonly heads: Partial<Record<ContentCoding, Heads>>;
}

interface Found {
  readonly known: Known;
  readonly payload: Payload;
}

/** Names and values of headers. The last value is the request id, which each response sets. */
interface Heads {
  readonly whole: string[];
  readonly notModified: string[];
}

const mostAddresses = 100_000;

/**
 * The form of addresses that we write ourselves. Only these are cached: a UUID can be written in
 * millions of ways with capitals, and a client that requests them must not fill the memory. Those of own
 * domains begin with their host, as `targetByHost` writes it.
 */
const plainAddress = /^(?:\/@)?[a-z0-9/._-]+$/;

/**
 * Runs before the framework: responds to a URL from its cached payload with one look-up.
 * Limits, ids, headers and counts are the same as with
 * the framework. Addresses here have no query, so they cannot contain a key.
 */
export class CachedResponses implements FastPath, EarlyHandler {
  // By size rather than `max`, for which the cache would preallocate all memory.
  readonly #known = new LRUCache<string, Known>({
    maxSize: mostAddresses,
    sizeCalculation: () => 1,
  });
  readonly #nowMs: () => number;
  readonly #counts: RequestCounts;
  readonly #consumeLimit: (request: IncomingMessage) => boolean;
  readonly #freshness: Freshness;
  readonly #bodies: Pick<BodySender, 'send'>;
  readonly #defaultHeaders: readonly string[];

  constructor(options: {
    nowMs: () => number;
    counts: RequestCounts;
    consumeLimit: (request: IncomingMessage) => boolean;
    freshness: Freshness;
    bodies: Pick<BodySender, 'send'>;
    /** Names and values of the headers of every response. */
    defaultHeaders?: readonly string[];
  }) {
    this.#nowMs = options.nowMs;
    this.#counts = options.counts;
    this.#consumeLimit = options.consumeLimit;
    this.#freshness = options.freshness;
    this.#bodies = options.bodies;
    this.#defaultHeaders = options.defaultHeaders ?? [];
    warmTickObject();
  }

  remember(url: string, entry: Entry<Payload>): void {
    if (!plainAddress.test(url)) return;
    this.#known.set(url, { entry: new WeakRef(entry), group: routeGroupOf(url), heads: {} });
  }

  /** Responds from memory if that is confirmed to be current; else passes the request on. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): boolean | Promise<boolean> {
    const found = this.#find(request);
    if (found === undefined) return false;
    if (this.#freshness.isConfirmed()) return this.#respond(found, request, response, requestId);
    return this.#confirmAndRespond(request, response, requestId);
  }

  async #confirmAndRespond(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<boolean> {
    const still = (await tryConfirm(this.#freshness)) ? this.#find(request) : undefined;
    return still !== undefined && this.#respond(still, request, response, requestId);
  }

  #find(request: IncomingMessage): Found | undefined {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (request.headers['if-match'] !== undefined) return undefined;
    const known = this.#known.get(url);
    if (known === undefined) return undefined;
    const entry = known.entry.deref();
    const nowMs = this.#nowMs();
    if (entry?.isLive(nowMs) === true) {
      entry.use(nowMs);
      return { known, payload: entry.value };
    }
    this.#known.delete(url);
    return undefined;
  }

  #respond(
    { known, payload }: Found,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): boolean {
    // `PublicLimit`, a later step, then refuses the request.
    if (known.group.limited && !this.#consumeLimit(request)) return false;
    this.#send(request, response, requestId, known, payload);
    return true;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    known: Known,
    payload: Payload,
  ): void {
    const { method = '', headers } = request;
    const { group, heads } = known;
    const coding = chooseContentCoding(headers['accept-encoding']);
    const variant = payload.variants[coding];
    heads[coding] ??= createHeads(variant, group, this.#defaultHeaders);
    const notModified = isNotModified(method, headers, payload, variant);
    const head = notModified ? heads[coding].notModified : heads[coding].whole;
    const status = notModified ? 304 : 200;
    // The list can be reused, because writeHead has read it when it returns.
    head[head.length - 1] = requestId;
    response.writeHead(status, head);
    if (!notModified && method === 'GET') this.#bodies.send(request, response, variant.body);
    else response.end();
    this.#counts.add(group.name, status);
  }
}

function createHeads(
  { headers, notModifiedHeaders }: Variant,
  { cors }: RouteGroup,
  defaultHeaders: readonly string[],
): Heads {
  const more = [
    ...defaultHeaders,
    ...(cors ? Object.entries(corsHeaders).flat() : []),
    'X-Request-Id',
    '',
  ];
  return { whole: [...headers, ...more], notModified: [...notModifiedHeaders, ...more] };
}

/** Most clients send the ETag back unchanged, so that is compared first. */
function isNotModified(
  method: string,
  headers: IncomingMessage['headers'],
  { hash }: Payload,
  { etag }: Variant,
): boolean {
  const requested = headers['if-none-match'];
  if (requested === undefined) return false;
  return requested === etag || evaluateConditions(method, headers, { hash }) === 'not_modified';
}
