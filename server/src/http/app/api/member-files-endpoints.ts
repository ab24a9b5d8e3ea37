import Type from 'typebox';
import { memberImagePath } from '../../../domain/foundation/addresses.ts';
import { notFound } from '../../../domain/foundation/errors.ts';
import { getMemberAudio } from '../../../domain/publishing/audio/index.ts';
import {
  getMemberImage,
  imageBoxesPx,
  imageKey,
  imageVariantKey,
} from '../../../domain/publishing/images/index.ts';
import { sendBlob, sendStored } from '../../files/send-blob.ts';
import { noStore } from '../../responses/payload.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ids } from '../field-schemas.ts';
import { seeOther, written } from '../response.ts';

/** The bytes of a picture never change. */
const caching = 'private, max-age=31536000, immutable';

const width = Type.Enum([...imageBoxesPx], {
  type: 'integer',
  description: 'The size of a smaller copy; default: the original.',
});

export const imageRoute = defineEndpoint(`GET ${memberImagePath({ id: ':imageId' })}`, {
  id: 'getImage',
  summary: 'A picture of a podcast, for its members',
  params: ids('imageId'),
  query: Type.Object({ width: Type.Optional(width) }),
  response: written({ 200: { description: 'A JPEG or PNG' } }),
  async handle({ ctx }, { http, params: { imageId }, query, request, reply }) {
    const { id, contentType, sha256 } = await getMemberImage(ctx, imageId);
    const file =
      query.width === undefined
        ? { key: imageKey(id, contentType), contentType, hash: sha256 }
        : {
            key: imageVariantKey(id, query.width),
            contentType: 'image/jpeg',
            hash: sha256.slice(0, -4) + String(query.width).padStart(4, '0'),
          };
    reply.header('Cache-Control', caching);
    if (!(await sendStored(http, request, reply, file))) throw notFound('image');
    return { kind: 'sent' } as const;
  },
});

/** Not counted: a member who listens to an episode is not a download. */
export const memberAudioRoute = defineEndpoint('GET /app/api/episodes/:episodeId/audio/file', {
  id: 'getAudioFile',
  summary: 'The audio of an episode for its members, whole or in ranges',
  response: written({ 200: { description: 'The file' } }),
  async handle({ ctx }, { http, params: { episodeId }, request, reply }) {
    const { blobKey: key, sourceUrl, ...audio } = await getMemberAudio(ctx, episodeId);
    if (key === null && sourceUrl !== null) return seeOther(sourceUrl);
    const { sha256: hash, sizeBytes, contentType } = audio;
    if (key === null || hash === null || sizeBytes === null) throw notFound('audio file');
    reply.header('Cache-Control', noStore);
    // A browser that plays it slowly is not at work.
    http.workShares.end(reply.raw);
    await sendBlob(http, request, reply, { key, hash, sizeBytes, contentType });
    return { kind: 'sent' } as const;
  },
});
