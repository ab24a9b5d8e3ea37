import { notFound } from '../../../domain/foundation/errors.ts';
import { getMemberAudio } from '../../../domain/publishing/audio/index.ts';
import { sendBlob } from '../../files/send-blob.ts';
import { noStore } from '../../payload.ts';
import { seeOther } from '../answers.ts';
import { defineEndpoint } from '../endpoint.ts';
import { written } from '../response.ts';

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
