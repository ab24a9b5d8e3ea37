const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds after each failure in a row (the contract); after the last one, none. */
const delaysSeconds = [
  ...[minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour],
  ...Array.from({ length: 7 }, () => day),
];

/** When to retry after this many failures; null: not before the site calls. */
export function retryAfter(failures: number, failedAt: Date): Date | null {
  const delaySeconds = delaysSeconds[failures - 1];
  return delaySeconds === undefined ? null : new Date(failedAt.getTime() + delaySeconds * 1000);
}
