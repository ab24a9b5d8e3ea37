import type { FastifyReply } from 'fastify';
import type { PublicPodcast } from '../domain/catalogue/index.ts';
import type { HttpContext } from './http-context.ts';
import { createPayload, type Payload } from './payload.ts';
import type { Entry } from './podcast-cache.ts';
import type { Answer } from './route.ts';
import { jsonType } from './send.ts';

/**
 * A payload about `show` under `key`. It is computed once, until the show changes or `validUntil`.
 * Throws SourceChangedError if `show` has changed since it was read: the route is then run again.
 */
export async function keepPayload(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  compute: () => Promise<Payload>,
  validUntil: Date | null = show.nextPublicationAt,
): Promise<Entry<Payload>> {
  const isCurrent = () => http.podcasts.isCurrent(show);
  const computePayload = async () => {
    const value = await compute();
    return { podcastId: show.id, value, validUntil, sizeBytes: value.totalBytes, isCurrent };
  };
  return http.payloads.get(`${show.id} ${key}`, computePayload, isCurrent);
}

/** Answers with such a payload. The next requests for the address get it without its route. */
export async function cachedPayload(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  compute: () => Promise<Payload>,
): Promise<Answer> {
  return { kind: 'cached', entry: await keepPayload(http, show, key, compute) };
}

/** The same for text, which may come in pieces of UTF-8. */
export function cachedText(
  http: HttpContext,
  show: PublicPodcast,
  key: string,
  contentType: string,
  compute: () => Promise<string | readonly Buffer[]>,
): Promise<Answer> {
  return cachedPayload(http, show, key, async () => createPayload(contentType, await compute()));
}

/** The same for JSON, written by the response schema of the route. */
export function cachedJson(
  http: HttpContext,
  reply: FastifyReply,
  show: PublicPodcast,
  key: string,
  compute: () => Promise<object>,
): Promise<Answer> {
  return cachedText(
    http,
    show,
    key,
    jsonType,
    async () => reply.serializeInput({ ...(await compute()) }, '200') as string,
  );
}
