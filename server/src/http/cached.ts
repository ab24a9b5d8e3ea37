import type { FastifyReply } from 'fastify';
import type { Show } from '../domain/catalogue/index.ts';
import { createPayload } from './payload.ts';
import type { Answer } from './route.ts';
import { jsonType } from './send.ts';
import type { Web } from './web.ts';

/** The answer about `show` under `key`, computed once until the show changes. */
export async function cachedText(
  web: Web,
  show: Show,
  key: string,
  contentType: string,
  compute: () => Promise<string>,
): Promise<Answer> {
  const entry = await web.payloads.get(`${show.id} ${key}`, async () => {
    const value = await createPayload(contentType, await compute());
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
