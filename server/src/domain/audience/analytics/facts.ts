import { addDays, type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import type { FactsRow } from './facts.sql.ts';
import { type LimitedRange, type UsedRange, useRange } from './range.ts';

/** How complete the figures are. */
export interface Freshness {
  /** None: downloads of this podcast are not counted here. */
  readonly source: 'first_party' | 'none';
  readonly verifiedFrom: UtcDay | null;
  /** The last day that is over and completely counted; null: nothing is counted. */
  readonly completeThrough: UtcDay | null;
  readonly isTodayPartial: boolean;
  /** Null: nothing has ever been counted. */
  readonly lastUpdatedAt: Date | null;
}

/** What every response says of its figures. */
export interface AnalyticsFacts {
  readonly range: UsedRange;
  readonly freshness: Freshness;
}

/** True if downloads of this podcast are counted here: its audio is hosted here. */
export const isCounted = ({ hostingType }: Pick<FactsRow, 'hostingType'>) =>
  hostingType === 'hosted';

export function describeFacts(row: FactsRow, limited: LimitedRange, now: Date): AnalyticsFacts {
  const range = useRange(limited, isCounted(row) ? row.dataStart : null);
  const today = utcDayOf(now);
  const isTodayPartial = range.from <= today && today <= range.to;
  return { range, freshness: describeFreshness(row, isTodayPartial, now) };
}

export function describeFreshness(row: FactsRow, isTodayPartial: boolean, now: Date): Freshness {
  const counted = isCounted(row);
  return {
    source: counted ? 'first_party' : 'none',
    verifiedFrom: counted ? row.dataStart : null,
    completeThrough: counted ? completeThrough(row.completeUntil, utcDayOf(now)) : null,
    isTodayPartial,
    lastUpdatedAt: counted ? row.updatedAt : null,
  };
}

/**
 * Whether the figure of the first seven days is final: the day of publication and the six days after
 * it are over and counted. Null: never published, or nothing is counted.
 */
export function isFirstWeekComplete(
  publishedOn: UtcDay | null,
  completeThrough: UtcDay | null,
): boolean | null {
  if (publishedOn === null || completeThrough === null) return null;
  return addDays(publishedOn, 6) <= completeThrough;
}

/** The last day that is over, and whose requests of all processes are counted. */
export function completeThrough(completeUntil: Date | null, today: UtcDay): UtcDay {
  const yesterday = addDays(today, -1);
  if (completeUntil === null) return yesterday;
  const last = addDays(utcDayOf(completeUntil), -1);
  return last < yesterday ? last : yesterday;
}
