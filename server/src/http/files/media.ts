import Type from 'typebox';
import { mediaMarkers } from '../../domain/addresses.ts';
import { getPublicAudio } from '../../domain/catalogue/index.ts';
import { notFound } from '../../domain/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { type Answer, defineRoute, type RouteInput } from '../route.ts';
import type { Web } from '../web.ts';
import { sendBlob } from './send-blob.ts';

const markers: readonly string[] = Object.values(mediaMarkers);

/** Audio by an address without a marker: what the API gives. */
export const directMediaRoute = defineRoute({
  method: 'GET',
  path: '/media/:episode/:file',
  access: 'public',
  params: Type.Object({ episode: Type.String(), file: Type.String() }),
  handle: (web, { params, ...input }) => answerAudio(web, input, params.episode, params.file),
});

/** Audio by an address that says where it was published: feed, player or listen page. */
export const markedMediaRoute = defineRoute({
  method: 'GET',
  path: '/media/:episode/:marker/:file',
  access: 'public',
  params: Type.Object({ episode: Type.String(), marker: Type.String(), file: Type.String() }),
  async handle(web, { params: { episode, marker, file }, ...input }) {
    if (!markers.includes(marker)) throw notFound('audio file');
    return answerAudio(web, input, episode, file);
  },
});

async function answerAudio(
  web: Web,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  episodeId: string,
  fileName: string,
): Promise<Answer> {
  if (!isUuid(episodeId)) throw notFound('audio file');
  const audio = await getPublicAudio(web.ctx, episodeId, fileName);
  const { blobKey, sourceUrl, sha256, sizeBytes, contentType, updatedAt } = audio;
  if (blobKey === null || sha256 === null || sizeBytes === null) {
    // Elsewhere: the source counts its own downloads.
    reply.header('Cache-Control', 'no-cache').redirect(sourceUrl ?? '', 302);
    return { kind: 'sent' };
  }
  // no-cache: a copy is asked for again each time it is played, and so is counted.
  reply.header('Cache-Control', 'no-cache');
  await sendBlob(web, request, reply, {
    key: blobKey,
    hash: sha256,
    sizeBytes,
    contentType,
    lastModified: updatedAt,
  });
  return { kind: 'sent' };
}
