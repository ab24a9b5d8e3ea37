/** A few milliseconds of work. */
const bytesPerPart = 250_000;
/** The largest part, for short items. */
const mostItems = 100;
/** The first part, before item sizes are known. */
export const firstPartSize = 10;

/** The number of items in the next part, given the size of the last one. */
export function nextPartSize(items: number, bytes: number): number {
  const fitting = Math.floor((bytesPerPart * items) / Math.max(1, bytes));
  return Math.min(mostItems, items * 4, Math.max(1, fitting));
}
