import { type DayRange, utcDayOf } from '../../../lib/utc-day.ts';
import type { FactsRow } from './facts.sql.ts';
import { type AnalyticsFacts, describeFacts, isCounted } from './facts.ts';
import {
  countPeriods,
  type DayCounts,
  type Interval,
  listPeriods,
  type PeriodCounts,
  type SeriesTotals,
  sumPeriods,
} from './periods.ts';
import { type Comparison, comparePeriods, findDaysBefore } from './previous-period.ts';
import { checkSeriesLength, limitRange, type RangeRequest } from './range.ts';

export interface SeriesQuery {
  readonly range: RangeRequest;
  readonly interval: Interval;
  /** True: with the period before the range. */
  readonly isCompared?: boolean;
}

export interface DownloadSeries {
  readonly interval: Interval;
  /** Every period of the range, also those without downloads. */
  readonly periods: readonly PeriodCounts[];
  readonly totals: SeriesTotals;
}

/** What a series is of; `comparison` only if it was requested. */
export interface ComparedSeries extends DownloadSeries, AnalyticsFacts {
  readonly comparison?: Comparison;
}

export interface RequestedSeries {
  /** The days to read. */
  readonly days: DayRange;
  /** `counts`: those of the days that have any, in order. Throws `series_too_long`. */
  make(row: FactsRow, counts: readonly DayCounts[]): ComparedSeries;
}

/** A series within the history of a plan. Throws `outside_retention`. */
export function requestSeries(
  { range, interval, isCompared }: SeriesQuery,
  now: Date,
  retentionDays: number | undefined,
): RequestedSeries {
  const limited = limitRange(range, now, retentionDays);
  const before = isCompared ? findDaysBefore(limited, now) : undefined;
  return {
    days: { from: typeof before === 'object' ? before.from : limited.from, to: limited.to },
    make(row, counts) {
      const facts = describeFacts(row, limited, now);
      const { from, to } = facts.range;
      checkSeriesLength(facts.range, interval);
      const days = isCounted(row) ? counts : [];
      const within = days.filter(({ day }) => day >= from && day <= to);
      const periods = countPeriods(listPeriods(facts.range, interval, utcDayOf(now)), within);
      return {
        ...{ interval, periods, totals: sumPeriods(periods) },
        ...(before && { comparison: comparePeriods(before, facts, interval, days) }),
        ...facts,
      };
    },
  };
}
