import { bestScore, FrameComparison } from './compare-frames.ts';
import type { Anchor } from './find-anchors.ts';
import { fingerprintFrames } from './fingerprints.ts';
import type { PreparedEnvelope } from './prepared-envelope.ts';

/** A stretch that sounds alike in both recordings, in frames. */
export interface Run {
  readonly oldStart: number;
  /** Exclusive. */
  readonly oldEnd: number;
  /** The frame of the new recording is the frame of the old one plus this. */
  readonly offset: number;
  /** The sum of the scores of its frames. */
  readonly score: number;
}

/** The same sound may have its fingerprint a few frames earlier or later. */
const jitterFrames = 3;
/** The frames at an anchor must sound alike on average: equal fingerprints may be a coincidence. */
const leastSeedScore = bestScore * 0.2;
/** A run continues across up to a second of other sound. */
const patience = 2 * bestScore * 50;
/** A run ends after a longer silence. */
const longestQuiet = 30 * 50;
/** A run has at least the score of two seconds that are almost equal. */
const leastRunScore = bestScore * 0.5 * 100;

/** The runs that begin at anchors, each as long as both recordings sound alike. */
export function findRuns(
  old: PreparedEnvelope,
  fresh: PreparedEnvelope,
  anchors: readonly Anchor[],
): Run[] {
  const runs: Run[] = [];
  const reached = new Map<number, number>();
  for (const anchor of anchors) {
    if (isInRun(reached, anchor)) continue;
    const run = growRun(old, fresh, anchor);
    if (run === undefined || run.score < leastRunScore) continue;
    runs.push(run);
    reached.set(run.offset, run.oldEnd);
  }
  return runs;
}

function isInRun(reached: ReadonlyMap<number, number>, anchor: Anchor): boolean {
  const offset = anchor.new - anchor.old;
  for (let jitter = -jitterFrames; jitter <= jitterFrames; jitter += 1) {
    if ((reached.get(offset + jitter) ?? -1) > anchor.old) return true;
  }
  return false;
}

function growRun(old: PreparedEnvelope, fresh: PreparedEnvelope, anchor: Anchor): Run | undefined {
  const comparison = new FrameComparison(old, fresh);
  const offset = findOffset(comparison, fresh.frames, anchor);
  if (offset === undefined) return undefined;
  const middle = anchor.old + Math.floor(fingerprintFrames / 2);
  const grow = (step: 1 | -1, first: number) => {
    comparison.measureBias(anchor.old, anchor.old + offset, fingerprintFrames);
    const inside = (frame: number) =>
      frame >= 0 && frame < old.frames && frame + offset >= 0 && frame + offset < fresh.frames;
    return extend(first, step, (frame) =>
      inside(frame) ? comparison.scoreAndFollow(frame, frame + offset) : undefined,
    );
  };
  const ahead = grow(1, middle);
  const behind = grow(-1, middle - 1);
  return {
    oldStart: behind.last + 1,
    oldEnd: ahead.last,
    offset,
    score: ahead.score + behind.score,
  };
}

/** The exact offset at an anchor; undefined if its fingerprint was a coincidence. */
function findOffset(
  comparison: FrameComparison,
  newFrames: number,
  anchor: Anchor,
): number | undefined {
  let best: number | undefined;
  let bestAverage = leastSeedScore;
  for (let jitter = -jitterFrames; jitter <= jitterFrames; jitter += 1) {
    const start = anchor.new + jitter;
    if (start < 0 || start + fingerprintFrames > newFrames) continue;
    comparison.measureBias(anchor.old, start, fingerprintFrames);
    const average = comparison.averageScore(anchor.old, start, fingerprintFrames);
    if (average <= bestAverage) continue;
    best = start - anchor.old;
    bestAverage = average;
  }
  return best;
}

/**
 * Continues from `first` while the sum of scores does not fall far below its highest value. `last`
 * is exclusive: the place of that value.
 */
function extend(
  first: number,
  step: 1 | -1,
  scoreAt: (frame: number) => number | undefined,
): { last: number; score: number } {
  let best = { last: first, score: 0 };
  let sum = 0;
  let quiet = 0;
  for (let frame = first; ; frame += step) {
    const score = scoreAt(frame);
    if (score === undefined) return best;
    quiet = score === 0 ? quiet + 1 : 0;
    sum += score;
    if (quiet > longestQuiet || sum < best.score - patience) return best;
    if (sum >= best.score) best = { last: frame + step, score: sum };
  }
}
