import {
  acceptReplacement,
  cancelReplacement,
  reviewReplacement,
} from '../../../../domain/publishing/replacements/index.ts';
import { measureTranscript } from '../../../../domain/publishing/transcripts/index.ts';
import { proposeAudioUpload } from '../../../../domain/publishing/uploads/index.ts';
import type { Route } from '../../../route.ts';
import { clientLeaves } from '../../../while-awaited.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentReplacement } from '../../present-replacement.ts';
import { created, ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { nullable } from '../../schemas/fields.ts';
import {
  AcceptedReplacement,
  AcceptReplacement,
  AudioReplacement,
} from '../../schemas/replacement.ts';
import { UseUpload } from '../../schemas/uploads.ts';

const path = '/app/api/episodes/:episodeId/audio/replacement';

export const replacementRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}`, {
    id: 'proposeAudioReplacement',
    summary: 'Compares an uploaded file with the audio of an episode',
    body: { json: UseUpload },
    response: created(AudioReplacement),
    async handle({ ctx, session }, { params: { episodeId }, body, http, reply }) {
      await proposeAudioUpload(ctx, { episodeId, uploadId: body.upload_id });
      using build = http.largeBuilds.begin(session.userId, clientLeaves(reply));
      await build.grow(await measureTranscript(ctx, episodeId), 0);
      return presentReplacement(await reviewReplacement(ctx, episodeId));
    },
  }),
  defineEndpoint(`GET ${path}`, {
    id: 'getAudioReplacement',
    summary: 'How the proposed audio changes chapters and transcript; null if none is proposed',
    response: ok(nullable(AudioReplacement)),
    async handle({ ctx, session }, { params: { episodeId }, http, reply }) {
      using build = http.largeBuilds.begin(session.userId, clientLeaves(reply));
      // It reads the whole transcript.
      await build.grow(await measureTranscript(ctx, episodeId), 0);
      return presentReplacement(await reviewReplacement(ctx, episodeId));
    },
  }),
  defineEndpoint(`POST ${path}/:replacementId/accept`, {
    id: 'acceptAudioReplacement',
    summary: 'Replaces the audio, and moves chapters and transcripts with it',
    body: { json: AcceptReplacement },
    response: revised(AcceptedReplacement),
    async handle({ ctx }, { params: { episodeId, replacementId }, body, request }) {
      const revision = await acceptReplacement(ctx, episodeId, {
        ...readExpectation(request),
        id: replacementId,
        moveChapters: body.move_chapters,
        moveTranscript: body.move_transcript,
      });
      return { revision };
    },
  }),
  defineEndpoint(`DELETE ${path}/:replacementId`, {
    id: 'cancelAudioReplacement',
    summary: 'Removes a proposal with its file',
    handle: ({ ctx }, { params: { episodeId, replacementId } }) =>
      cancelReplacement(ctx, episodeId, replacementId),
  }),
];
