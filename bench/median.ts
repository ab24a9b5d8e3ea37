import { inTurns } from './in-turns.ts';

/** Requires at least one number. For an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('nothing to take it of');
  return (lower + upper) / 2;
}

/** How much longer `second` takes than `first`: the median over `pairs` of consecutive runs. */
export async function compareTimes(
  pairs: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<{ ratio: number; firstMs: number; secondMs: number }> {
  const runs = await inTurns(
    pairs,
    () => timeMs(first),
    () => timeMs(second),
  );
  return {
    ratio: median(runs.map(([one, other]) => other / one)),
    firstMs: median(runs.map(([one]) => one)),
    secondMs: median(runs.map(([, other]) => other)),
  };
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
