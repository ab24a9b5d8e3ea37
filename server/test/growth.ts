import { threadCpuUsage } from 'node:process';

/** Shorter times are too imprecise, and do not matter. */
const meaningfulMs = 20;
const rounds = 10;
const clearGrowth = 13;

/** For four times the input: linear work gives 4, quadratic work 16. */
export const acceptableGrowth = 9;

/**
 * How many times longer the work takes for four times the input. Counts this thread's processor
 * time, so that other processes matter little, and takes the best of several rounds. Work that
 * stays below 20 ms for `largest` counts as 1.
 */
export function measureGrowth(
  work: (n: number) => void,
  { smallest = 500, largest = 32_000 } = {},
): number {
  work(smallest);
  let n = smallest;
  while (cpuMsOf(() => work(n)) < meaningfulMs) {
    if (n >= largest) return 1;
    n *= 2;
  }
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round += 1) {
    short = Math.min(
      short,
      cpuMsOf(() => work(n)),
    );
    // The first run was longer only because of compilation.
    if (short < meaningfulMs / 2) {
      return n >= largest ? 1 : measureGrowth(work, { smallest: 2 * n, largest });
    }
    long = Math.min(
      long,
      cpuMsOf(() => work(4 * n)),
    );
    if (long / short < acceptableGrowth || (round > 0 && long / short > clearGrowth)) break;
  }
  return long / short;
}

function cpuMsOf(work: () => void): number {
  const begun = threadCpuUsage();
  work();
  const { user, system } = threadCpuUsage(begun);
  return (user + system) / 1000;
}
