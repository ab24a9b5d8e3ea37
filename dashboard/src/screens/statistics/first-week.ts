import { countDays } from '../../../../server/src/lib/utc-day.ts';

/**
 * Whether the figure "First 7 days" may still grow: the day of publication and the six days after
 * it are not all over and counted. Both are UTC days; null: never published, or nothing is counted.
 */
export function isFirstWeekOpen(publishedOn: string | null, completeThrough: string | null) {
  if (publishedOn === null || completeThrough === null) return false;
  return countDays(publishedOn, completeThrough) < 7;
}
