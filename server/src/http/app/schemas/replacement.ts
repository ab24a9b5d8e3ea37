import Type from 'typebox';
import { Chapter } from './episode-parts.ts';
import { closed, id, moment, named, nullable } from './fields.ts';

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

export const AudioReplacement = Type.Object(
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

export const AcceptReplacement = closed({
  move_chapters: Type.Boolean({ description: 'If false, they keep their times.' }),
  move_transcript: Type.Boolean({ description: 'If false, it keeps its times.' }),
});

export const AcceptedReplacement = named('AcceptedReplacement', { revision: Type.Integer() });
