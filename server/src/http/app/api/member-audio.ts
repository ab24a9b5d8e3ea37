import { notFound } from '../../../domain/errors.ts';
import { getMemberAudio } from '../../../domain/media/index.ts';
import { sendBlob } from '../../files/send-blob.ts';
import { noStore } from '../../payload.ts';
import { defineRoute } from '../../route.ts';
import { seeOther } from '../answers.ts';
import { forSignedIn } from '../requester.ts';
import { ids } from '../schemas/fields.ts';

/** Listening to one's own episode is no download: nobody counts this address. */
export const memberAudioRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/episodes/:episodeId/audio/file',
  params: ids('episodeId'),
  operation: {
    id: 'getAudioFile',
    summary: 'The audio of an episode for its members, whole or in ranges',
    responses: { 200: { description: 'The file' } },
  },
  async handle(http, { caller: { ctx }, params: { episodeId }, request, reply }) {
    const { blobKey: key, sourceUrl, ...audio } = await getMemberAudio(ctx, episodeId);
    if (key === null && sourceUrl !== null) return seeOther(sourceUrl);
    const { sha256: hash, sizeBytes, contentType } = audio;
    if (key === null || hash === null || sizeBytes === null) throw notFound('audio file');
    reply.header('Cache-Control', noStore);
    await sendBlob(http, request, reply, { key, hash, sizeBytes, contentType });
    return { kind: 'sent' };
  },
});
