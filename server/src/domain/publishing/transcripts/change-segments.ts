import { createYielder } from '../../../lib/time-slices.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { revise } from '../../foundation/revisions/index.ts';
import { countWords } from './complete-transcript.ts';
import type { Segment } from './transcript.ts';
import {
  deleteFurtherTranscripts,
  deleteTranscript,
  lockLanguages,
  replaceFurtherTranscript,
  replaceTranscript,
  selectFurtherTranscript,
  selectTranscript,
} from './transcripts.sql.ts';

/** Changes some of the segments, in order. The result replaces them. */
export type SegmentsChange = (some: readonly Segment[]) => readonly Segment[];

const segmentsPerTurn = 500;

/**
 * Changes the segments of the episode's transcripts in all languages, except those without times. For each language, a new
 * `change` gets all segments in several calls. A transcript without segments is deleted.
 */
export async function changeSegments(
  ctx: Context,
  episodeId: string,
  beginChange: () => SegmentsChange,
): Promise<void> {
  await transact(ctx, async (tx) => {
    // The permission for audio is enough, because the words do not change.
    const { podcastId } = await authorize(tx, 'episode.edit', { episodeId });
    await revise(tx, { episodeId }, ['transcript']);
    const languages = await lockLanguages(tx.db, episodeId);
    if (languages === undefined) return;
    const emptied: string[] = [];
    for (const language of languages.further) {
      const isLeft = await changeFurther(tx, episodeId, language, beginChange());
      if (!isLeft) emptied.push(language);
    }
    const kept = languages.further.filter((language) => !emptied.includes(language));
    if (emptied.length > 0) await deleteFurtherTranscripts(tx.db, episodeId, kept);
    await changeFirst(tx, episodeId, beginChange());
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}

async function changeFirst(tx: Context, episodeId: string, change: SegmentsChange): Promise<void> {
  const found = await selectTranscript(tx.db, episodeId);
  if (found?.hasTimes !== true) return;
  const changed = await changeInSlices(found.segments, change);
  if (changed.segments.length === 0) return await deleteTranscript(tx.db, episodeId);
  const transcript = { language: found.language, ...changed };
  await replaceTranscript(tx.db, episodeId, transcript, tx.clock.now());
}

async function changeFurther(
  tx: Context,
  episodeId: string,
  language: string,
  change: SegmentsChange,
): Promise<boolean> {
  const found = await selectFurtherTranscript(tx.db, episodeId, language);
  if (found?.hasTimes !== true) return true;
  const changed = await changeInSlices(found.segments, change);
  if (changed.segments.length === 0) return false;
  const transcript = { language, ...changed };
  await replaceFurtherTranscript(tx.db, episodeId, transcript, tx.clock.now());
  return true;
}

/**
 * Reads the first transcript, published or not, in parts; undefined if there is none, or it has no
 * times.
 */
export async function readSegments(
  ctx: Context,
  episodeId: string,
  look: (some: readonly Segment[]) => void,
): Promise<{ segmentCount: number } | undefined> {
  await authorize(ctx, 'transcript.read', { episodeId });
  const found = await selectTranscript(ctx.db, episodeId);
  if (found?.hasTimes !== true) return undefined;
  await changeInSlices(found.segments, (some) => {
    look(some);
    return [];
  });
  return { segmentCount: found.segments.length };
}

async function changeInSlices(before: readonly Segment[], change: SegmentsChange) {
  const maybeYield = createYielder();
  const segments: Segment[] = [];
  let wordCount = 0;
  let durationMs = 0;
  for (let start = 0; start < before.length; start += segmentsPerTurn) {
    for (const segment of change(before.slice(start, start + segmentsPerTurn))) {
      segments.push(segment);
      wordCount += countWords(segment.text);
      durationMs = Math.max(durationMs, segment.endMs);
    }
    await maybeYield();
  }
  segments.sort((one, other) => one.startMs - other.startMs);
  return { segments, wordCount, durationMs };
}
