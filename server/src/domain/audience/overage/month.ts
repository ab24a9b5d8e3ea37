import {
  firstDayOfMonth,
  firstDayOfNextMonth,
  type UtcDay,
  utcDayOf,
} from '../../../lib/utc-day.ts';

/** A month in UTC, in which downloads are compared with a plan. */
export interface Month {
  /** Its first day. */
  readonly first: UtcDay;
  /** The first day of the next one, on which the count starts again. */
  readonly next: UtcDay;
}

export function monthOf(now: Date): Month {
  const today = utcDayOf(now);
  return { first: firstDayOfMonth(today), next: firstDayOfNextMonth(today) };
}
