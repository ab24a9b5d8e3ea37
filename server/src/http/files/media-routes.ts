import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { type MediaMarker, mediaUrl } from '../../domain/foundation/addresses.ts';
import { notFound } from '../../domain/foundation/errors.ts';
import { type PublicAudioFile, requireSendable } from '../../domain/public/catalogue/index.ts';
import type { HttpContext } from '../http-context.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import { defineRoute, type RouteInput, type RouteResponse } from '../route.ts';
import { isCanonicalUuid } from './file-name.ts';
import { fileNameOf, mediaCaching, storedFileOf, tryParseMarker } from './media-file.ts';
import { arrivalOf, newTransfer, reportMediaResponse } from './report-media-response.ts';
import { sendBlob } from './send-blob.ts';

/** Audio at an address without a marker, as in the API. */
export const directMediaRoute = defineRoute({
  method: 'GET',
  path: '/media/:episode/:file',
  access: 'public',
  params: Type.Object({ episode: Type.String(), file: Type.String() }),
  handle: (http, { params, ...input }) => respondWithAudio(http, input, params, undefined),
});

/** Audio by an address that says where it was published: feed, player or listen page. */
export const markedMediaRoute = defineRoute({
  method: 'GET',
  path: '/media/:episode/:marker/:file',
  access: 'public',
  params: Type.Object({ episode: Type.String(), marker: Type.String(), file: Type.String() }),
  async handle(http, { params, ...input }) {
    const marker = tryParseMarker(params.marker);
    if (marker === undefined) throw notFound('audio file');
    return respondWithAudio(http, input, params, marker);
  },
});

async function respondWithAudio(
  http: HttpContext,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  { episode: episodeId, file: requestedName }: { readonly episode: string; readonly file: string },
  marker: MediaMarker | undefined,
): Promise<RouteResponse> {
  if (!isCanonicalUuid(episodeId)) throw notFound('audio file');
  const audio = await http.audio.get(episodeId);
  requireSendable(audio, requestedName);
  const transfer = newTransfer();
  const arrival = arrivalOf(http, request.raw, reply.raw);
  const requested = { episodeId, marker, audio, transfer };
  reportMediaResponse(http, request.raw, reply.raw, arrival, requested);
  const fileName = fileNameOf(audio);
  if (fileName !== requestedName) {
    const location = mediaUrl(http.ctx.installation, { episodeId, fileName }, marker);
    return redirectAudio(reply, audio, location);
  }
  const { copy, sourceUrl } = audio;
  if (copy === null) {
    // External audio: its host counts its own downloads.
    return redirectAudio(reply, audio, sourceUrl ?? '');
  }
  reply.header('Cache-Control', mediaCaching);
  await sendBlob(http, request, reply, storedFileOf(audio, copy), transfer);
  return { kind: 'sent' };
}

function redirectAudio(
  reply: FastifyReply,
  audio: PublicAudioFile,
  location: string,
): RouteResponse {
  reply.headers(withTrainingHeaders({ 'Cache-Control': mediaCaching }, audio));
  reply.redirect(location, 302);
  return { kind: 'sent' };
}
