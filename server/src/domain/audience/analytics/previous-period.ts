import { addDays, countDays, type DayRange, type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import type { AnalyticsFacts } from './facts.ts';
import {
  countPeriods,
  type DayCounts,
  type Interval,
  listPeriods,
  type PeriodCounts,
  type SeriesTotals,
  sumPeriods,
} from './periods.ts';
import { firstShownDay, type LimitedRange } from './range.ts';

/**
 * Why a range has no period before it: it is the whole history, or the plan does not show the days
 * before it, or downloads are not counted here.
 */
export const reasonsForNone = ['whole_history', 'plan_history', 'not_counted'] as const;
type ReasonForNone = (typeof reasonsForNone)[number];

/** The days directly before a range, as many as it has. */
export interface PreviousPeriod extends DayRange {
  /** Each as long as the period of the range at the same place. */
  readonly periods: readonly PeriodCounts[];
  readonly totals: SeriesTotals;
  /** False: the first download came after its first day, so the figures may lack days. */
  readonly isCovered: boolean;
  /** The whole days of the range, and as many days from the beginning of the previous period. */
  readonly compared: {
    readonly days: number;
    readonly downloads: number;
    readonly previousDownloads: number;
  };
}

export interface Comparison {
  readonly previous: PreviousPeriod | null;
  readonly reasonForNone: ReasonForNone | null;
}

/** The days before a range, or why they cannot be shown. */
export type DaysBefore = DayRange | ReasonForNone;

export function findDaysBefore(limited: LimitedRange, now: Date): DaysBefore {
  const { requestedFrom, from, to, retentionDays } = limited;
  if (requestedFrom === undefined) return 'whole_history';
  const before = { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) };
  if (retentionDays === null) return before;
  const floor = firstShownDay(retentionDays, utcDayOf(now));
  return requestedFrom < from || before.from < floor ? 'plan_history' : before;
}

/** Compares a range with the days before it. `days` are those of both that have counts, in order. */
export function comparePeriods(
  before: DaysBefore,
  { range, freshness }: AnalyticsFacts,
  interval: Interval,
  days: readonly DayCounts[],
): Comparison {
  const { completeThrough } = freshness;
  if (completeThrough === null) return { previous: null, reasonForNone: 'not_counted' };
  if (typeof before === 'string') return { previous: null, reasonForNone: before };
  const length = countDays(range.from, range.to);
  const shifted = listPeriods(range, interval, range.to).map(({ start, end }) => ({
    start: addDays(start, -length),
    end: addDays(end, -length),
    isPartial: false,
  }));
  const periods = countPeriods(shifted, daysWithin(days, before));
  const previous = {
    ...before,
    periods,
    totals: sumPeriods(periods),
    isCovered: range.dataStart !== null && range.dataStart <= before.from,
    compared: compareWholeDays(range, before, completeThrough, days),
  };
  return { previous, reasonForNone: null };
}

function compareWholeDays(
  range: DayRange,
  before: DayRange,
  completeThrough: UtcDay,
  days: readonly DayCounts[],
): PreviousPeriod['compared'] {
  const last = range.to < completeThrough ? range.to : completeThrough;
  const whole = Math.max(0, countDays(range.from, last));
  const sum = ({ from }: DayRange) =>
    daysWithin(days, { from, to: addDays(from, whole - 1) }).reduce(
      (total, { downloads }) => total + downloads,
      0,
    );
  return { days: whole, downloads: sum(range), previousDownloads: sum(before) };
}

function daysWithin(days: readonly DayCounts[], { from, to }: DayRange): DayCounts[] {
  return days.filter(({ day }) => from <= day && day <= to);
}
