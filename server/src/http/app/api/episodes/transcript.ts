import {
  editTranscript,
  readWholeTranscript,
  removeTranscript,
  type WholeTranscript,
} from '../../../../domain/transcripts/index.ts';
import { takeTurns } from '../../../../lib/take-turns.ts';
import { sessionCaching } from '../../../payload.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { jsonType } from '../../../send.ts';
import { answerNothing } from '../../answers.ts';
import { forSignedIn } from '../../requester.ts';
import { nothing, ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import {
  EditedTranscript,
  EditTranscript,
  EpisodeTranscript,
} from '../../schemas/episode-parts.ts';
import { ids } from '../../schemas/fields.ts';

const path = '/app/api/episodes/:episodeId/transcript';
const params = ids('episodeId');
const maxBytes = 1024 * 1024;

/** Written in turns: a transcript may have a hundred thousand segments. */
async function writeTranscript({ language, segments, revision }: WholeTranscript): Promise<string> {
  const giveWay = takeTurns();
  const written: string[] = [];
  for (const [index, { startMs, endMs, speaker, text }] of segments.entries()) {
    const times = { start_seconds: startMs / 1000, end_seconds: endMs / 1000 };
    written.push(JSON.stringify({ index, ...times, speaker, text }));
    await giveWay();
  }
  const rest = `"language":${JSON.stringify(language)},"revision":${revision}`;
  return `{"data":{${rest},"segments":[${written.join(',')}]}}`;
}

const readRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params,
  operation: {
    id: 'getEpisodeTranscript',
    summary: 'The first transcript of an episode, whole',
    responses: ok(EpisodeTranscript),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    const transcript = await readWholeTranscript(ctx, episodeId);
    return {
      kind: 'text',
      contentType: jsonType,
      text: await writeTranscript(transcript),
      caching: sessionCaching,
      revision: transcript.revision,
    };
  },
});

const editRoute = defineRoute({
  ...forSignedIn,
  method: 'PATCH',
  path,
  params,
  body: { json: EditTranscript, maxBytes },
  operation: {
    id: 'editEpisodeTranscript',
    summary: 'Corrects words and speakers of segments',
    responses: ok(EditedTranscript),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId }, body: { changes }, request }) {
    return answerRevision(await editTranscript(ctx, episodeId, changes, readExpectation(request)));
  },
});

const removeRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path,
  params,
  operation: {
    id: 'deleteEpisodeTranscript',
    summary: 'Removes the transcripts of an episode, in all languages',
    responses: nothing,
  },
  async handle(_http, { caller: { ctx }, params: { episodeId }, request }) {
    await removeTranscript(ctx, episodeId, readExpectation(request));
    return answerNothing;
  },
});

export const episodeTranscriptRoutes: readonly Route[] = [readRoute, editRoute, removeRoute];
