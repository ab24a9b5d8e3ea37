import { utcDayOf } from '../../lib/utc-day.ts';
import {
  countPeriods,
  type DayCounts,
  type Interval,
  listPeriods,
  type PeriodCounts,
  type SeriesTotals,
  sumPeriods,
} from './periods.ts';
import { checkSeriesLength, type UsedRange } from './range.ts';

export interface DownloadSeries {
  readonly interval: Interval;
  readonly periods: readonly PeriodCounts[];
  readonly totals: SeriesTotals;
}

/** Makes a dense series of days that have counts, in order. Throws `series_too_long`. */
export function makeSeries(
  range: UsedRange,
  interval: Interval,
  days: readonly DayCounts[],
  now: Date,
): DownloadSeries {
  checkSeriesLength(range, interval);
  const within = days.filter(({ day }) => day >= range.from && day <= range.to);
  const periods = countPeriods(listPeriods(range, interval, utcDayOf(now)), within);
  return { interval, periods, totals: sumPeriods(periods) };
}
