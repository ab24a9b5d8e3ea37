import { countDays, type UtcDay } from '../../../../lib/utc-day.ts';

/** An episode's downloads by age. Day 1 is the UTC day of its publication. */
export interface EpisodeCurve {
  readonly id: string;
  readonly title: string;
  readonly publishedOn: UtcDay;
  /** Downloads until the end of each day, from day 1; only days that are over and counted. */
  readonly totals: readonly number[];
  /** Until now, on the day that is not complete; null: there is none within the wanted days. */
  readonly soFar: number | null;
  /** Why its days cannot be compared with those of others; null: they can. */
  readonly exclusionReason: ExclusionReason | null;
}

/**
 * `early_days_missing`: it came here after its publication, and its first days were counted elsewhere.
 * `early_downloads`: it has downloads from before its publication date, for example in a log.
 * `republished`: it was withdrawn and published again, or published later than its date says.
 */
export const exclusionReasons = ['early_days_missing', 'early_downloads', 'republished'] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** An episode as stored, with its first days. */
export interface StoredDays {
  readonly id: string;
  readonly title: string;
  readonly publishedOn: UtcDay;
  readonly createdOn: UtcDay;
  readonly statusChangedOn: UtcDay;
  /** Null: it has no downloads. */
  readonly firstDownloadOn: UtcDay | null;
  /** Days since publication, and their downloads; in order, without days that have none. */
  readonly days: readonly (readonly [number, number])[];
}

/** Adds up the first `longest` days. `completeThrough`: the last day that is over and counted. */
export function toCurve(
  stored: StoredDays,
  completeThrough: UtcDay,
  longest: number,
): EpisodeCurve {
  const { id, title, publishedOn, days } = stored;
  const complete = Math.max(0, Math.min(longest, countDays(publishedOn, completeThrough)));
  const totals = new Array<number>(complete).fill(0);
  let last = 0;
  for (const [since, downloads] of days) {
    if (since < complete) totals[since] = downloads;
    else last += downloads;
  }
  for (let day = 1; day < complete; day += 1) {
    totals[day] = (totals[day] ?? 0) + (totals[day - 1] ?? 0);
  }
  const soFar = complete < longest ? (totals.at(-1) ?? 0) + last : null;
  return { id, title, publishedOn, totals, soFar, exclusionReason: findExclusionReason(stored) };
}

function findExclusionReason(stored: StoredDays): ExclusionReason | null {
  const { publishedOn, createdOn, statusChangedOn, firstDownloadOn } = stored;
  // Logs of the old host may have been counted, too: then its first day has downloads.
  const isFromStart = createdOn <= publishedOn || firstDownloadOn === publishedOn;
  if (firstDownloadOn !== null && firstDownloadOn < publishedOn) return 'early_downloads';
  if (!isFromStart) return 'early_days_missing';
  const isChanged = statusChangedOn > publishedOn && statusChangedOn > createdOn;
  return isChanged ? 'republished' : null;
}
