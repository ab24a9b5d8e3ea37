import { type Context, transact } from '../../foundation/context.ts';
import { type ErrorDetail, notFound, refuseWrong, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, getRevision, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { cleanLine, cleanSpeaker, countWords } from './complete-transcript.ts';
import type { Segment } from './transcript.ts';
import {
  countSegmentBytes,
  type EditableSegment,
  lockLanguages,
  selectSegments,
  selectTranscript,
  updateSegments,
} from './transcripts.sql.ts';

/** The changes to the segment at this position; undefined: no change. */
export interface SegmentChange {
  readonly index: number;
  readonly text?: string | undefined;
  readonly speaker?: string | undefined;
}

export interface EditedTranscript {
  /** The changed segments, as they are now. */
  readonly segments: readonly EditableSegment[];
  /** Of the episode. */
  readonly revision: number;
}

export interface WholeTranscript {
  readonly language: string;
  readonly hasTimes: boolean;
  readonly segments: readonly Segment[];
  /** Of the episode. */
  readonly revision: number;
}

/** Reads the whole first transcript, published or not, for a member who may. */
export async function readWholeTranscript(
  ctx: Context,
  episodeId: string,
): Promise<WholeTranscript> {
  await authorize(ctx, 'transcript.read', { episodeId });
  const revision = await getRevision(ctx, { episodeId });
  const found = requireFound(await selectTranscript(ctx.db, episodeId), 'transcript');
  const { language, hasTimes, segments } = found;
  return { language, hasTimes, segments, revision };
}

/**
 * Corrects words and speakers of the first transcript; its times and the number of its segments stay.
 * Throws `invalid` with every wrong change.
 */
export async function editTranscript(
  ctx: Context,
  episodeId: string,
  changes: readonly SegmentChange[],
  expectation?: Expectation,
): Promise<EditedTranscript> {
  return await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'transcript.edit', { episodeId });
    await revise(tx, { episodeId }, ['transcript'], expectation);
    if ((await lockLanguages(tx.db, episodeId)) === undefined) throw notFound('transcript');
    const positions = changes.map(({ index }) => index);
    const before = await selectSegments(tx.db, episodeId, positions);
    const after = applyChanges(before, changes);
    const edited = {
      segments: after,
      addedWords: countAll(after) - countAll(before),
      addedBytes: countSegmentBytes(after) - countSegmentBytes(before),
      updatedAt: tx.clock.now(),
    };
    await updateSegments(tx.db, episodeId, edited);
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
    return { segments: after, revision: await getRevision(tx, { episodeId }) };
  });
}

function applyChanges(
  before: readonly EditableSegment[],
  changes: readonly SegmentChange[],
): EditableSegment[] {
  const segments = new Map(before.map((segment) => [segment.index, segment]));
  const details: ErrorDetail[] = [];
  for (const [place, { index, text, speaker }] of changes.entries()) {
    const segment = segments.get(index);
    const clean = text === undefined ? segment?.text : cleanLine(text);
    if (segment === undefined) {
      details.push({ field: `changes[${place}].index`, message: 'There is no such segment.' });
    } else if (clean === '') {
      details.push({ field: `changes[${place}].text`, ...sayRefusal('segment_empty') });
    } else {
      segments.set(index, {
        index,
        text: clean ?? segment.text,
        speaker: speaker === undefined ? segment.speaker : cleanSpeaker(speaker),
      });
    }
  }
  refuseWrong('The transcript was not changed.', details);
  return [...segments.values()];
}

function countAll(segments: readonly EditableSegment[]): number {
  return segments.reduce((sum, { text }) => sum + countWords(text), 0);
}
