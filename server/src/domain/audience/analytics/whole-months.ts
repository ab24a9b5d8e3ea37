import {
  addDays,
  type DayRange,
  firstDayOfMonth,
  firstDayOfNextMonth,
  lastDayOfMonth,
  type UtcDay,
} from '../../../lib/utc-day.ts';

/** A range as whole months, and the days before and after them. */
export interface SplitRange {
  readonly days: readonly DayRange[];
  /** The first days of the first and the last of them; undefined: the range has none. */
  readonly months: DayRange | undefined;
  /**
   * Days after the range that the sum of its last month contains. They have downloads only if a log
   * is dated ahead: counting accepts tomorrow.
   */
  readonly excess: DayRange | undefined;
}

/**
 * Splits a range, so that sums of months can be read instead of days. The month of today counts as
 * whole if the range holds today, without the days after it.
 */
export function splitByMonths({ from, to }: DayRange, today: UtcDay): SplitRange {
  const end = to >= today ? lastDayOfMonth(to) : to;
  const isStart = from === firstDayOfMonth(from);
  const firstMonth = isStart ? from : firstDayOfNextMonth(from);
  const isEnd = end === lastDayOfMonth(end);
  const afterMonths = isEnd ? addDays(end, 1) : firstDayOfMonth(end);
  if (firstMonth >= afterMonths) {
    return { days: [{ from, to }], months: undefined, excess: undefined };
  }
  const before = { from, to: addDays(firstMonth, -1) };
  const after = { from: afterMonths, to };
  return {
    days: [before, after].filter((days) => days.from <= days.to),
    months: { from: firstMonth, to: firstDayOfMonth(addDays(afterMonths, -1)) },
    excess: to < end ? { from: addDays(to, 1), to: end } : undefined,
  };
}
