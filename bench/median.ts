/** Requires at least one number. For an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('nothing to take it of');
  return (lower + upper) / 2;
}

/**
 * How much longer `second` takes than `first`: the median over `pairs` of consecutive runs. The
 * order changes with every pair, so that slow changes of the machine cancel out.
 */
export async function compareTimes(
  pairs: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<{ ratio: number; firstMs: number; secondMs: number }> {
  const firstMs: number[] = [];
  const secondMs: number[] = [];
  for (let i = 0; i < pairs; i += 1) {
    if (i % 2 === 0) firstMs.push(await timeMs(first));
    secondMs.push(await timeMs(second));
    if (i % 2 === 1) firstMs.push(await timeMs(first));
  }
  const ratios = secondMs.map((ms, i) => ms / (firstMs[i] ?? Number.NaN));
  return { ratio: median(ratios), firstMs: median(firstMs), secondMs: median(secondMs) };
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
