import Type from 'typebox';
import {
  editTranscript,
  measureTranscript,
  readWholeTranscript,
  removeTranscript,
  type WholeTranscript,
} from '../../../../domain/publishing/transcripts/index.ts';
import { chooseContentCoding } from '../../../../lib/content-coding.ts';
import { maxChars } from '../../../../lib/limits.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import { createPayload, sessionCaching } from '../../../responses/payload.ts';
import { jsonType } from '../../../responses/send.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, named } from '../../field-schemas.ts';
import { ok, revised, written } from '../../response.ts';
import { readExpectation } from '../../revision.ts';

const text = Type.String();

const revision = Type.Integer({ description: 'The revision of the episode.' });

const EpisodeTranscript = named('EpisodeTranscript', {
  language: text,
  has_times: Type.Boolean({
    description: 'False: it has the words, but no times. Every segment starts and ends at 0.',
  }),
  segments: Type.Array(
    Type.Object({
      index: Type.Integer(),
      start_seconds: Type.Number(),
      end_seconds: Type.Number(),
      speaker: text,
      text,
    }),
  ),
  revision,
});

const EditTranscript = closed({
  changes: Type.Array(
    closed({
      index: Type.Integer({ minimum: 0, maximum: 100_000 }),
      text: Type.Optional(Type.String({ maxLength: maxChars.editedSegment })),
      speaker: Type.Optional(text),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});

/** The present state of the segments in the request. */
const EditedTranscript = named('EditedTranscript', {
  segments: Type.Array(Type.Object({ index: Type.Integer(), speaker: text, text })),
  revision,
});

const path = '/app/api/episodes/:episodeId/transcript';
const maxBytes = 1024 * 1024;

/** Yields to other tasks: a transcript may have a hundred thousand segments. */
async function writeTranscript(transcript: WholeTranscript): Promise<string> {
  const { language, hasTimes, segments, revision } = transcript;
  const maybeYield = createYielder();
  const written: string[] = [];
  for (const [index, { startMs, endMs, speaker, text }] of segments.entries()) {
    const times = { start_seconds: startMs / 1000, end_seconds: endMs / 1000 };
    written.push(JSON.stringify({ index, ...times, speaker, text }));
    await maybeYield();
  }
  const about = `"language":${JSON.stringify(language)},"has_times":${hasTimes}`;
  const rest = `${about},"revision":${revision}`;
  return `{"data":{${rest},"segments":[${written.join(',')}]}}`;
}

export const episodeTranscriptRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'getEpisodeTranscript',
    summary: 'The whole first transcript of an episode',
    response: written(ok(EpisodeTranscript).responses),
    async handle({ ctx, session }, { params: { episodeId }, http, request, reply }) {
      // Of all users, two at once read a large one.
      using build = http.largeBuilds.begin(session.userId, clientLeaves(reply));
      await build.grow(await measureTranscript(ctx, episodeId), 0);
      const transcript = await readWholeTranscript(ctx, episodeId);
      const payload = await createPayload(jsonType, await writeTranscript(transcript), {
        only: chooseContentCoding(request.headers['accept-encoding']),
        caching: sessionCaching,
      });
      return { kind: 'payload' as const, payload, revision: transcript.revision };
    },
  }),
  defineEndpoint(`PATCH ${path}`, {
    id: 'editEpisodeTranscript',
    summary: 'Corrects the words and speakers of segments',
    body: { json: EditTranscript, maxBytes },
    response: revised(EditedTranscript),
    handle: ({ ctx }, { params: { episodeId }, body: { changes }, request }) =>
      editTranscript(ctx, episodeId, changes, readExpectation(request)),
  }),
  defineEndpoint(`DELETE ${path}`, {
    id: 'deleteEpisodeTranscript',
    summary: 'Removes the transcripts of an episode, in all languages',
    mayBeAbandoned: true,
    handle: ({ ctx }, { params: { episodeId }, request }) =>
      removeTranscript(ctx, episodeId, readExpectation(request)),
  }),
];
