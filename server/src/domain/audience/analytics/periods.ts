import {
  addDays,
  type DayRange,
  firstDayOfMonth,
  firstDayOfWeek,
  lastDayOfMonth,
  lastDayOfWeek,
  type UtcDay,
} from '../../../lib/utc-day.ts';

/** Weeks are those of ISO 8601, from Monday. */
export const intervals = ['day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface Period {
  readonly start: UtcDay;
  /** Its last day. */
  readonly end: UtcDay;
  /** Cut by the range, or not over yet. */
  readonly isPartial: boolean;
}

/** What is counted on one day. */
export interface DayCounts {
  readonly day: UtcDay;
  readonly downloads: number;
  readonly listeners: number;
}

/** Of a period, or of a whole series. */
export interface SeriesTotals {
  readonly downloads: number;
  /** Of the day that has most: listeners of different days cannot be told apart, or added up. */
  readonly peakDailyListeners: number;
}

export type PeriodCounts = Period & SeriesTotals;

type DayOf = Readonly<Record<Interval, (day: UtcDay) => UtcDay>>;
const firstDayOf: DayOf = { day: (day) => day, week: firstDayOfWeek, month: firstDayOfMonth };
const lastDayOf: DayOf = { day: (day) => day, week: lastDayOfWeek, month: lastDayOfMonth };

/** Every period of a range, in order: none is missing and none overlaps. */
export function listPeriods({ from, to }: DayRange, interval: Interval, today: UtcDay): Period[] {
  const periods: Period[] = [];
  // Only the first period can begin late: each other one begins after the end of one.
  let isLate = from > firstDayOf[interval](from);
  for (let start = from; start <= to; ) {
    const last = lastDayOf[interval](start);
    const end = last < to ? last : to;
    const holdsToday = start <= today && today <= end;
    periods.push({ start, end, isPartial: isLate || end < last || holdsToday });
    start = addDays(end, 1);
    isLate = false;
  }
  return periods;
}

/** Adds days to the periods that hold them. Both are in order, and each day is in a period. */
export function countPeriods(
  periods: readonly Period[],
  days: readonly DayCounts[],
): PeriodCounts[] {
  let next = 0;
  return periods.map((period) => {
    let downloads = 0;
    let peakDailyListeners = 0;
    for (let at = days[next]; at !== undefined && at.day <= period.end; at = days[next]) {
      downloads += at.downloads;
      peakDailyListeners = Math.max(peakDailyListeners, at.listeners);
      next += 1;
    }
    return { ...period, downloads, peakDailyListeners };
  });
}

export function sumPeriods(periods: readonly PeriodCounts[]): SeriesTotals {
  return {
    downloads: periods.reduce((sum, period) => sum + period.downloads, 0),
    peakDailyListeners: periods.reduce((peak, p) => Math.max(peak, p.peakDailyListeners), 0),
  };
}
