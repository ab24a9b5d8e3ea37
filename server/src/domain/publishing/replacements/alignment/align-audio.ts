import { bestScore, FrameComparison } from './compare-frames.ts';
import { type Envelope, framesPerSecond } from './envelope.ts';
import { findAnchors } from './find-anchors.ts';
import { findRuns, type Run } from './find-runs.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { type PreparedEnvelope, prepareEnvelope } from './prepared-envelope.ts';

/** A stretch of the old recording that is in the new one. */
export interface MatchedPart {
  readonly oldStartMs: number;
  /** Exclusive. */
  readonly oldEndMs: number;
  readonly newStartMs: number;
  /** 0 to 1: how alike the stretch sounds. */
  readonly confidence: number;
}

const frameMs = 1000 / framesPerSecond;
/**
 * The longest gap between two matches that is part of them, such as a word that was bleeped out.
 */
const longestBridge = 2 * framesPerSecond;
/** The longest fade before the first match or after the last one. */
const longestEdge = framesPerSecond;
/** With fewer matched frames it is only a jingle that both recordings have. */
const leastMatchedFrames = 4 * framesPerSecond;
const leastMatchedShare = 0.2;

/**
 * Finds the parts of the old recording in the new one: in order, without overlaps in either.
 * Ambiguous parts are not matched. Undefined if these are different recordings, or if nothing in
 * them can be recognized. Almost linear in the lengths.
 */
export function alignAudio(old: Envelope, fresh: Envelope): MatchedPart[] | undefined {
  const before = prepareEnvelope(old);
  const after = prepareEnvelope(fresh);
  const anchors = findAnchors(fingerprintsOf(before), fingerprintsOf(after));
  const chain = chainRuns(findRuns(before, after, anchors));
  const runs = bridgeGaps(settleOverlaps(chain, before, after));
  const matched = runs.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
  const shorter = Math.min(old.frames, fresh.frames);
  if (matched < Math.max(leastMatchedFrames, shorter * leastMatchedShare)) return undefined;
  return reachEdges(runs, old.frames, fresh.frames).map(toPart);
}

function bridgeGaps(runs: readonly Run[]): Run[] {
  const bridged: Run[] = [];
  for (const run of runs) {
    const last = bridged.at(-1);
    const fits =
      last !== undefined &&
      last.offset === run.offset &&
      run.oldStart - last.oldEnd <= longestBridge;
    if (!fits) bridged.push(run);
    else bridged.splice(-1, 1, { ...last, oldEnd: run.oldEnd, score: last.score + run.score });
  }
  return bridged;
}

function reachEdges(runs: readonly Run[], oldFrames: number, newFrames: number): Run[] {
  return runs.map((run, index) => {
    const lead = Math.min(run.oldStart, run.oldStart + run.offset);
    const rest = Math.min(oldFrames - run.oldEnd, newFrames - run.oldEnd - run.offset);
    return {
      ...run,
      oldStart: index === 0 && lead <= longestEdge ? run.oldStart - lead : run.oldStart,
      oldEnd: index === runs.length - 1 && rest <= longestEdge ? run.oldEnd + rest : run.oldEnd,
    };
  });
}

function toPart({ oldStart, oldEnd, offset, score }: Run): MatchedPart {
  return {
    oldStartMs: oldStart * frameMs,
    oldEndMs: oldEnd * frameMs,
    newStartMs: (oldStart + offset) * frameMs,
    confidence: Math.max(0, Math.min(1, score / ((oldEnd - oldStart) * bestScore))),
  };
}

/** Two cuts are equally good if their scores differ by less. */
const tie = 3 * bestScore;
/** If equally good cuts are further apart, neither run gets the stretch between them. */
const longestTie = framesPerSecond;

/**
 * Cuts overlapping runs where the next one begins to sound more alike. If both sound equally alike
 * for more than a second, as in silence and loops, neither gets that stretch.
 */
function settleOverlaps(
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

/** A limit, because all pairs of runs are compared. */
const maxRuns = 3000;

/**
 * The runs that go forward in both recordings and together have the highest score. A passage that
 * was moved to another place is left out.
 */
function chainRuns(all: readonly Run[]): Run[] {
  const runs = [...all]
    .sort((one, other) => other.score - one.score)
    .slice(0, maxRuns)
    .sort((one, other) => one.oldStart - other.oldStart || one.oldEnd - other.oldEnd);
  const totals: number[] = [];
  const before: number[] = [];
  for (const [index, run] of runs.entries()) {
    totals[index] = run.score;
    before[index] = -1;
    for (let earlier = 0; earlier < index; earlier += 1) {
      const total = (totals[earlier] as number) + scoreAfter(runs[earlier] as Run, run);
      if (total <= (totals[index] as number)) continue;
      totals[index] = total;
      before[index] = earlier;
    }
  }
  const chain: Run[] = [];
  let index = totals.indexOf(totals.reduce((most, total) => Math.max(most, total), 0));
  while (index >= 0) {
    chain.push(runs[index] as Run);
    index = before[index] as number;
  }
  return chain.reverse();
}

/**
 * What a run adds to the total after an earlier one: its score, without the frames that both have.
 */
function scoreAfter(earlier: Run, run: Run): number {
  const goesForward =
    earlier.oldStart < run.oldStart &&
    earlier.oldStart + earlier.offset < run.oldStart + run.offset &&
    earlier.oldEnd < run.oldEnd &&
    earlier.oldEnd + earlier.offset < run.oldEnd + run.offset;
  if (!goesForward) return Number.NEGATIVE_INFINITY;
  const length = run.oldEnd - run.oldStart;
  return (run.score * (length - overlapOf(earlier, run))) / length;
}

/** The number of frames that both have, in the recording with more of them. */
function overlapOf(earlier: Run, run: Run): number {
  const inOld = earlier.oldEnd - run.oldStart;
  return Math.max(0, inOld, inOld + earlier.offset - run.offset);
}
