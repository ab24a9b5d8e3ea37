import type { FastifyReply } from 'fastify';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import type { HttpContext } from '../http-context.ts';
import type { Build } from '../limits/large-builds.ts';
import type { Waiter, Waiters } from '../limits/waiters.ts';
import { createPayload, type ExtraHeaders, type Payload } from '../responses/payload.ts';
import { jsonType } from '../responses/send.ts';
import { clientLeaves } from '../responses/while-awaited.ts';
import type { RouteResponse } from '../route.ts';
import type { Entry } from './podcast-cache.ts';

/**
 * A payload about `show` under `key`. It is computed once, until the show changes or `validUntil`.
 * Throws SourceChangedError if `show` has changed since it was read: the route is then run again.
 */
export async function keepPayload(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  compute: (waiters: Waiters) => Promise<Payload>,
  {
    validUntil = show.nextChangeAt,
    leaving,
  }: { readonly validUntil?: Date | null; readonly leaving?: AbortSignal | undefined } = {},
): Promise<Entry<Payload>> {
  const isCurrent = () => http.podcasts.isCurrent(show);
  const computePayload = async (waiters: Waiters) => {
    const value = await readForAll(http, waiters, () => compute(waiters));
    return { podcastId: show.id, value, validUntil, sizeBytes: value.totalBytes, isCurrent };
  };
  return http.payloads.get(`${show.id} ${key}`, computePayload, isCurrent, waiterOf(http, leaving));
}

/** This request as one of those who wait for a result. A route for accounts takes no turns. */
export function waiterOf({ read }: HttpContext, leaving: AbortSignal | undefined): Waiter {
  return { network: read?.waiter.network, leaving };
}

/** Computes what several clients may wait for. A route for accounts takes no turns. */
export function readForAll<T>(
  { read }: HttpContext,
  waiters: Waiters,
  compute: () => Promise<T>,
): Promise<T> {
  return read === undefined ? compute() : read.forAll(waiters, compute);
}

/** Responds with such a payload. The next requests for the address get it without its route. */
export async function cachedPayload(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  compute: (waiters: Waiters) => Promise<Payload>,
  options: Parameters<typeof keepPayload>[4] = {},
): Promise<RouteResponse> {
  return { kind: 'cached', entry: await keepPayload(http, show, key, compute, options) };
}

/**
 * The same for text, which may come in pieces of UTF-8. If it is large, it waits for a turn, unless all
 * clients have left: `leaving` aborts when this one does. `headers`: see `createPayload`.
 */
export function cachedText(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  contentType: string,
  compute: (build: Build) => Promise<string | readonly Buffer[]>,
  leaving?: AbortSignal,
  headers?: { readonly extra?: ExtraHeaders; readonly lasting?: ExtraHeaders },
): Promise<RouteResponse> {
  const computePayload = async (waiters: Waiters) => {
    using build = http.largeBuilds.begin(show.id, waiters);
    const text = await compute(build);
    await build.grow(sizeOf(text));
    return await createPayload(contentType, text, headers);
  };
  return cachedPayload(http, show, key, computePayload, { leaving });
}

/** In bytes. */
export const sizeOf = (text: string | readonly Buffer[]) =>
  typeof text === 'string'
    ? Buffer.byteLength(text)
    : text.reduce((sum, { length }) => sum + length, 0);

/** The same for JSON, written by the response schema of the route. */
export function cachedJson(
  http: HttpContext,
  reply: FastifyReply,
  show: PublicPodcast,
  key: string,
  compute: () => Promise<object>,
): Promise<RouteResponse> {
  return cachedText(
    http,
    show,
    key,
    jsonType,
    async () => reply.serializeInput({ ...(await compute()) }, '200') as string,
    clientLeaves(reply),
  );
}
