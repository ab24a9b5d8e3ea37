import type { Run } from './find-runs.ts';

/** A limit, because all pairs of runs are compared. */
const maxRuns = 3000;

/**
 * The runs that go forward in both recordings and together have the highest score. A passage that
 * was moved to another place is left out.
 */
export function chainRuns(all: readonly Run[]): Run[] {
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
export function overlapOf(earlier: Run, run: Run): number {
  const inOld = earlier.oldEnd - run.oldStart;
  return Math.max(0, inOld, inOld + earlier.offset - run.offset);
}
