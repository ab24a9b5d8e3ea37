import {
  acceptReplacement,
  cancelReplacement,
  reviewReplacement,
} from '../../../../domain/media/index.ts';
import { proposeAudioUpload } from '../../../../domain/uploads/index.ts';
import { sessionCaching } from '../../../payload.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { answerData, answerNothing } from '../../answers.ts';
import { presentReplacement } from '../../present-replacement.ts';
import { forSignedIn } from '../../requester.ts';
import { created, nothing, ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import { ids, nullable } from '../../schemas/fields.ts';
import {
  AcceptedReplacement,
  AcceptReplacement,
  AudioReplacement,
} from '../../schemas/replacement.ts';
import { UseUpload } from '../../schemas/uploads.ts';

const path = '/app/api/episodes/:episodeId/audio/replacement';

const proposeRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path,
  params: ids('episodeId'),
  body: { json: UseUpload },
  operation: {
    id: 'proposeAudioReplacement',
    summary: 'Compares an uploaded file with the audio of an episode',
    responses: created(AudioReplacement),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId }, body }) {
    await proposeAudioUpload(ctx, { episodeId, uploadId: body.upload_id });
    const data = presentReplacement(await reviewReplacement(ctx, episodeId));
    return { kind: 'json', status: 201, body: { data }, caching: sessionCaching };
  },
});

const getRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params: ids('episodeId'),
  operation: {
    id: 'getAudioReplacement',
    summary: 'What the proposed audio does to chapters and transcript; null if none is proposed',
    responses: ok(nullable(AudioReplacement)),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    return answerData(presentReplacement(await reviewReplacement(ctx, episodeId)));
  },
});

const acceptRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/:replacementId/accept`,
  params: ids('episodeId', 'replacementId'),
  body: { json: AcceptReplacement },
  operation: {
    id: 'acceptAudioReplacement',
    summary: 'Replaces the audio, and moves chapters and transcripts with it',
    responses: ok(AcceptedReplacement),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId, replacementId }, body, request }) {
    const revision = await acceptReplacement(ctx, episodeId, {
      ...readExpectation(request),
      id: replacementId,
      moveChapters: body.move_chapters,
      moveTranscript: body.move_transcript,
    });
    return answerRevision({ revision });
  },
});

const cancelRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path: `${path}/:replacementId`,
  params: ids('episodeId', 'replacementId'),
  operation: {
    id: 'cancelAudioReplacement',
    summary: 'Removes a proposal with its file',
    responses: nothing,
  },
  async handle(_http, { caller: { ctx }, params: { episodeId, replacementId } }) {
    await cancelReplacement(ctx, episodeId, replacementId);
    return answerNothing;
  },
});

export const replacementRoutes: readonly Route[] = [
  proposeRoute,
  getRoute,
  acceptRoute,
  cancelRoute,
];
