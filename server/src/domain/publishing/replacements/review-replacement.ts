import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { findAudio } from '../audio/index.ts';
import { type Chapter, findChapters, readSegments, type Segment } from '../transcripts/index.ts';
import type { MatchedPart } from './alignment/align-audio.ts';
import { type MovedChapters, moveChapters } from './move-chapters.ts';
import { SegmentMover } from './move-transcript.ts';
import type { Replacement } from './replacement.ts';
import { selectEpisodeRevision, selectReplacement } from './replacements.sql.ts';

/** What a replacement does to the episode if it is accepted now. */
export interface ReplacementReview extends Replacement {
  /** The episode's revision. Accepting is refused if it has another one by then. */
  readonly revision: number;
  readonly oldDurationMs: number;
  /** Parts of the old audio that are not in the new. */
  readonly removed: readonly TimeSpan[];
  /** Parts of the new audio that are not in the old. */
  readonly added: readonly TimeSpan[];
  readonly chapters: MovedChapters & { readonly before: readonly Chapter[] };
  /** Undefined: there is none, it has no times, or the reader may not see it. */
  readonly transcript: TranscriptReview | undefined;
}

interface TranscriptReview {
  readonly segmentCount: number;
  readonly moved: number;
  readonly shortened: number;
  readonly lostCount: number;
  /** The first lost segments. */
  readonly lost: readonly Segment[];
}

const maxShownLost = 100;

/** Reviews the episode's proposal; undefined if there is none, or it has expired. */
export async function reviewReplacement(
  ctx: Context,
  episodeId: string,
): Promise<ReplacementReview | undefined> {
  await authorize(ctx, 'episode.edit', { episodeId });
  // Read first, so that accepting finds out about changes after this.
  const revision = await selectEpisodeRevision(ctx.db, episodeId);
  const replacement = await selectReplacement(ctx.db, episodeId, ctx.clock.now());
  if (replacement === undefined) return undefined;
  const oldDurationMs = (await findAudio(ctx, episodeId))?.durationMs ?? 0;
  const parts = replacement.parts ?? [];
  const before = (await findChapters(ctx, episodeId)) ?? [];
  return {
    ...replacement,
    revision,
    oldDurationMs,
    ...listDifferences(parts, oldDurationMs, replacement.durationMs),
    chapters: { before, ...moveChapters(before, parts, oldDurationMs) },
    transcript: await tryReviewTranscript(ctx, episodeId, parts),
  };
}

async function tryReviewTranscript(
  ctx: Context,
  episodeId: string,
  parts: readonly MatchedPart[],
): Promise<TranscriptReview | undefined> {
  const mover = new SegmentMover(parts);
  let [moved, shortened, lostCount] = [0, 0, 0];
  const shown: Segment[] = [];
  const look = (some: readonly Segment[]) => {
    const { segments, lost, shortened: fewer } = mover.move(some);
    moved += segments.length;
    shortened += fewer;
    lostCount += lost.length;
    shown.push(...lost.slice(0, maxShownLost - shown.length));
  };
  try {
    const found = await readSegments(ctx, episodeId, look);
    return found && { ...found, moved, shortened, lostCount, lost: shown };
  } catch (error) {
    // Some members edit episodes and may not read transcripts.
    if (error instanceof DomainError && error.kind === 'forbidden') return undefined;
    throw error;
  }
}

interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Shorter differences are not audible. */
const leastMs = 100;

/** The stretches that are only in the old audio, and those that are only in the new. */
function listDifferences(
  parts: readonly MatchedPart[],
  oldDurationMs: number,
  newDurationMs: number,
): { removed: TimeSpan[]; added: TimeSpan[] } {
  const old = parts.map(({ oldStartMs, oldEndMs }) => ({ startMs: oldStartMs, endMs: oldEndMs }));
  const fresh = parts.map(({ oldStartMs, oldEndMs, newStartMs }) => ({
    startMs: newStartMs,
    endMs: newStartMs + oldEndMs - oldStartMs,
  }));
  return { removed: gapsOf(old, oldDurationMs), added: gapsOf(fresh, newDurationMs) };
}

function gapsOf(spans: readonly TimeSpan[], durationMs: number): TimeSpan[] {
  const starts = [...spans.map(({ startMs }) => startMs), durationMs];
  const ends = [0, ...spans.map(({ endMs }) => endMs)];
  return starts
    .map((endMs, index) => ({ startMs: ends[index] as number, endMs }))
    .filter(({ startMs, endMs }) => endMs - startMs >= leastMs);
}
