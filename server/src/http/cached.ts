import type { FastifyReply } from 'fastify';
import type { Show } from '../domain/catalogue/index.ts';
import { createPayload, type Payload } from './payload.ts';
import type { Answer } from './route.ts';
import { jsonType } from './send.ts';
import type { Web } from './web.ts';

/** The answer about `show` under `key`, computed once until the show changes. */
export async function cachedPayload(
  web: Web,
  show: Show,
  key: string,
  compute: () => Promise<Payload>,
): Promise<Answer> {
  const entry = await web.payloads.get(`${show.id} ${key}`, async () => {
    const value = await compute();
    return {
      podcastId: show.id,
      value,
      validUntil: show.nextPublicationAt,
      sizeBytes: value.totalBytes,
      isCurrent: () => web.shows.isCurrent(show),
    };
  });
  return { kind: 'cached', entry };
}

/** The same for text. */
export function cachedText(
  web: Web,
  show: Show,
  key: string,
  contentType: string,
  compute: () => Promise<string>,
): Promise<Answer> {
  return cachedPayload(web, show, key, async () => createPayload(contentType, await compute()));
}

/** The same for JSON, written by the response schema of the route. */
export function cachedJson(
  web: Web,
  reply: FastifyReply,
  show: Show,
  key: string,
  compute: () => Promise<object>,
): Promise<Answer> {
  return cachedText(
    web,
    show,
    key,
    jsonType,
    async () => reply.serializeInput({ ...(await compute()) }, '200') as string,
  );
}
