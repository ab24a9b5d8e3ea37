/**
 * The quantile `share` (0 to 1) of sorted values, as a forecast. A new episode is equally likely to
 * be at each place in the order of n + 1 similar episodes. So the quantile is at place `share * (n
 * + 1)` (Hyndman and Fan's type 6), between two values in proportion.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = Math.min(Math.max(share * (sorted.length + 1), 1), sorted.length);
  const below = sorted[Math.floor(place) - 1] ?? 0;
  const above = sorted[Math.ceil(place) - 1] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
