import type { Static } from 'typebox';
import Type from 'typebox';
import {
  acceptReplacement,
  cancelReplacement,
  type MatchedPart,
  type ReplacementReview,
  reviewReplacement,
} from '../../../../domain/publishing/replacements/index.ts';
import {
  measureTranscript,
  type Segment,
} from '../../../../domain/publishing/transcripts/index.ts';
import { proposeAudioUpload } from '../../../../domain/publishing/uploads/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { closed, id, moment, named, nullable } from '../../field-schemas.ts';
import { created, ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { UseUpload } from '../uploads-endpoints.ts';
import { Chapter, presentChapter } from './chapter-endpoints.ts';

const seconds = Type.Number();
const span = Type.Object({ start_seconds: seconds, end_seconds: seconds });

const segment = Type.Object({
  start_seconds: seconds,
  end_seconds: seconds,
  speaker: Type.String(),
  text: Type.String(),
});

const matched = Type.Object({
  old_start: seconds,
  old_end: seconds,
  new_start: seconds,
  confidence: Type.Number({ description: '0 to 1: how similar the audio is.' }),
});

const AudioReplacement = Type.Object(
  {
    id,
    episode_id: id,
    state: Type.Enum(['waiting', 'aligned', 'different', 'incomparable'], {
      type: 'string',
      description:
        'waiting: it is being compared. different: another recording. incomparable: only MP3 can ' +
        'be compared, and only within limits of length, time and memory.',
    }),
    alignable: Type.Boolean({ description: 'Whether chapters and transcript can move.' }),
    revision: Type.Integer({
      description: 'The revision of the episode, for If-Match when the audio is accepted.',
    }),
    content_type: Type.String(),
    size_bytes: Type.Integer(),
    old_duration_seconds: seconds,
    new_duration_seconds: seconds,
    segments: Type.Array(matched, {
      description: 'The parts of the old audio that the new audio contains, in order.',
    }),
    removed: Type.Array(span, { description: 'Only in the old audio.' }),
    added: Type.Array(span, { description: 'Only in the new audio.' }),
    chapters: Type.Object({
      before: Type.Array(Chapter),
      after: Type.Array(Chapter),
      lost: Type.Array(Chapter, { description: 'Chapters whose audio was removed, as they were.' }),
    }),
    transcript: nullable(
      Type.Object({
        segment_count: Type.Integer(),
        moved: Type.Integer(),
        shortened: Type.Integer({ description: 'Moved segments that lost part of their audio.' }),
        lost_count: Type.Integer(),
        lost: Type.Array(segment, { description: 'The first hundred lost segments.' }),
      }),
    ),
    peaks: nullable(
      Type.Array(Type.Integer(), { description: "The new audio's loudness, 0 to 255." }),
    ),
    expires_at: moment,
  },
  {
    $id: 'AudioReplacement',
    description: "Audio proposed as a replacement for an episode's audio.",
  },
);

const AcceptReplacement = closed({
  move_chapters: Type.Boolean({ description: 'If false, they keep their times.' }),
  move_transcript: Type.Boolean({ description: 'If false, it keeps its times.' }),
});

const AcceptedReplacement = named('AcceptedReplacement', { revision: Type.Integer() });

function presentReplacement(
  review: ReplacementReview | undefined,
): Static<typeof AudioReplacement> | null {
  if (review === undefined) return null;
  const { id, episodeId, state, revision, contentType, sizeBytes, expiresAt } = review;
  const { before, chapters, lost } = review.chapters;
  return {
    ...wireNames({ id, episodeId, state, revision, contentType, sizeBytes, expiresAt }),
    alignable: state === 'aligned',
    old_duration_seconds: review.oldDurationMs / 1000,
    new_duration_seconds: review.durationMs / 1000,
    segments: (review.parts ?? []).map(presentPart),
    removed: review.removed.map(presentTimes),
    added: review.added.map(presentTimes),
    chapters: {
      before: before.map(presentChapter),
      after: chapters.map(presentChapter),
      lost: lost.map(presentChapter),
    },
    transcript: presentTranscript(review.transcript),
    peaks: review.peaks === null ? null : [...review.peaks],
  };
}

function presentTranscript(transcript: ReplacementReview['transcript']) {
  if (transcript === undefined) return null;
  const { lost, ...counts } = transcript;
  return { ...wireNames(counts), lost: lost.map(presentSegment) };
}

function presentPart({ oldStartMs, oldEndMs, newStartMs, confidence }: MatchedPart) {
  return {
    old_start: oldStartMs / 1000,
    old_end: oldEndMs / 1000,
    new_start: newStartMs / 1000,
    confidence,
  };
}

function presentTimes({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
  return { start_seconds: startMs / 1000, end_seconds: endMs / 1000 };
}

function presentSegment(segment: Segment) {
  const { speaker, text } = segment;
  return { ...presentTimes(segment), speaker, text };
}

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
    mayBeAbandoned: true,
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
