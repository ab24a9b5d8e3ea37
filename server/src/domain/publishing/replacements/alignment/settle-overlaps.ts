import { overlapOf } from './chain-runs.ts';
import { bestScore, FrameComparison } from './compare-frames.ts';
import { framesPerSecond } from './envelope.ts';
import type { Run } from './find-runs.ts';
import type { PreparedEnvelope } from './prepared-envelope.ts';

/** Two cuts are equally good if their scores differ by less. */
const tie = 3 * bestScore;
/** If equally good cuts are further apart, neither run gets the stretch between them. */
const longestTie = framesPerSecond;

/**
 * Cuts overlapping runs where the next one begins to sound more alike. If both sound equally alike
 * for more than a second, as in silence and loops, neither gets that stretch.
 */
export function settleOverlaps(
  chain: readonly Run[],
  old: PreparedEnvelope,
  fresh: PreparedEnvelope,
): Run[] {
  const settled: Run[] = [];
  for (const run of chain) {
    const earlier = settled.pop();
    if (earlier === undefined) {
      settled.push(run);
      continue;
    }
    const { end, start } = findCut(earlier, run, old, fresh);
    settled.push({ ...earlier, oldEnd: end }, { ...run, oldStart: start });
  }
  return settled.filter(({ oldStart, oldEnd }) => oldEnd > oldStart);
}

/** Where the earlier run ends and the later one starts, in frames of the old recording. */
function findCut(
  earlier: Run,
  run: Run,
  old: PreparedEnvelope,
  fresh: PreparedEnvelope,
): { end: number; start: number } {
  const overlap = overlapOf(earlier, run);
  const first = earlier.oldEnd - overlap;
  if (overlap === 0) return { end: earlier.oldEnd, start: run.oldStart };
  const removed = run.oldStart - first;
  const sums = sumDifferences(earlier, run, { first, removed, overlap }, old, fresh);
  const highest = sums.reduce((most, sum) => Math.max(most, sum), Number.NEGATIVE_INFINITY);
  const from = sums.findIndex((sum) => sum >= highest - tie);
  const to = sums.findLastIndex((sum) => sum >= highest - tie);
  const end = to - from > longestTie ? from : sums.indexOf(highest);
  const start = to - from > longestTie ? to : end;
  return { end: first + end, start: first + removed + start };
}

interface Zone {
  readonly first: number;
  readonly removed: number;
  readonly overlap: number;
}

/** For each cut in the overlap: by how much the earlier run scores better before it. */
function sumDifferences(
  earlier: Run,
  run: Run,
  { first, removed, overlap }: Zone,
  old: PreparedEnvelope,
  fresh: PreparedEnvelope,
): Float64Array {
  const byEarlier = comparisonOf(earlier, old, fresh);
  const byLater = comparisonOf(run, old, fresh);
  const sums = new Float64Array(overlap + 1);
  for (let frame = 0; frame < overlap; frame += 1) {
    const one = first + frame;
    const other = one + removed;
    sums[frame + 1] =
      (sums[frame] as number) +
      byEarlier.score(one, one + earlier.offset) -
      byLater.score(other, other + run.offset);
  }
  return sums;
}

const longestBiasFrames = 30 * framesPerSecond;

/** A comparison that knows the difference of volumes in the run. */
function comparisonOf(run: Run, old: PreparedEnvelope, fresh: PreparedEnvelope): FrameComparison {
  const comparison = new FrameComparison(old, fresh);
  const frames = Math.min(longestBiasFrames, run.oldEnd - run.oldStart);
  comparison.measureBias(run.oldStart, run.oldStart + run.offset, frames);
  return comparison;
}
