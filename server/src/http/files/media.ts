import Type from 'typebox';
import { type MediaMarker, mediaMarkers, mediaUrl } from '../../domain/addresses.ts';
import { getPublicAudio } from '../../domain/catalogue/index.ts';
import { notFound } from '../../domain/errors.ts';
import type { HttpContext } from '../http-context.ts';
import { type Answer, defineRoute, type RouteInput } from '../route.ts';
import { isCanonicalUuid } from './file-name.ts';
import { reportMediaResponse } from './report-media-response.ts';
import { sendBlob } from './send-blob.ts';
import { newTransfer } from './transfer.ts';

const markers = Object.values(mediaMarkers);

/** Audio by an address without a marker: what the API gives. */
export const directMediaRoute = defineRoute({
  method: 'GET',
  path: '/media/:episode/:file',
  access: 'public',
  params: Type.Object({ episode: Type.String(), file: Type.String() }),
  handle: (http, { params, ...input }) => answerAudio(http, input, params, undefined),
});

/** Audio by an address that says where it was published: feed, player or listen page. */
export const markedMediaRoute = defineRoute({
  method: 'GET',
  path: '/media/:episode/:marker/:file',
  access: 'public',
  params: Type.Object({ episode: Type.String(), marker: Type.String(), file: Type.String() }),
  async handle(http, { params, ...input }) {
    const marker = markers.find((known) => known === params.marker);
    if (marker === undefined) throw notFound('audio file');
    return answerAudio(http, input, params, marker);
  },
});

async function answerAudio(
  http: HttpContext,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  { episode: episodeId, file: asked }: { readonly episode: string; readonly file: string },
  marker: MediaMarker | undefined,
): Promise<Answer> {
  if (!isCanonicalUuid(episodeId)) throw notFound('audio file');
  const audio = await getPublicAudio(http.ctx, episodeId, asked);
  const transfer = newTransfer();
  reportMediaResponse(http, request, reply, { episodeId, marker, audio, transfer });
  const fileName = `${audio.mediaName}.${audio.extension}`;
  if (fileName !== asked) {
    const location = mediaUrl(http.ctx.installation, { episodeId, fileName }, marker);
    reply.header('Cache-Control', 'no-cache').redirect(location, 302);
    return { kind: 'sent' };
  }
  const { copy, sourceUrl, contentType, updatedAt } = audio;
  if (copy === null) {
    // Elsewhere: the source counts its own downloads.
    reply.header('Cache-Control', 'no-cache').redirect(sourceUrl ?? '', 302);
    return { kind: 'sent' };
  }
  // no-cache: a copy is asked for again each time it is played, and so is counted.
  reply.header('Cache-Control', 'no-cache');
  const { blobKey: key, sha256: hash, sizeBytes } = copy;
  const file = { key, hash, sizeBytes, contentType, lastModified: updatedAt };
  await sendBlob(http, request, reply, file, transfer);
  return { kind: 'sent' };
}
