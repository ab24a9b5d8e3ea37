import { firstStatisticsDay } from '../../../lib/limits.ts';
import {
  addDays,
  countDays,
  type DayRange,
  isUtcDay,
  subtractMonths,
  type UtcDay,
  utcDayOf,
} from '../../../lib/utc-day.ts';
import { DomainError, type ErrorDetail, invalid } from '../../foundation/errors.ts';
import type { Interval } from './periods.ts';

export const presets = ['7d', '30d', '90d', '12m', 'all'] as const;
export type Preset = (typeof presets)[number];

/** The days that a request asks for. */
export type RangeRequest =
  | { readonly preset: Preset }
  /** Without `to`: until today. */
  | { readonly from: UtcDay; readonly to: UtcDay | undefined };

/** The window of a response, before and after the plan's limit. */
export interface UsedRange extends DayRange {
  readonly requestedFrom: UtcDay;
  readonly requestedTo: UtcDay;
  /** Why `from` is later than requested. */
  readonly clampReason: 'plan_history' | null;
  /** Null: the plan has no limit. */
  readonly retentionDays: number | null;
  /** The day of the first download that is counted; null: there is none. */
  readonly dataStart: UtcDay | null;
}

/** Parameters of a range, without those that the schema has refused. */
export interface RangeParameters {
  readonly preset?: Preset | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const longestDailySeries = 1_100;

/**
 * Names every wrong parameter, beside those that the schema has refused. `interval` is that of the
 * requested series.
 */
export function checkRange(
  { preset, from, to }: RangeParameters,
  refused: ReadonlySet<string>,
  interval: Interval | undefined,
  now: Date,
): ErrorDetail[] {
  const hasFrom = from !== undefined || refused.has('from');
  const hasTo = to !== undefined || refused.has('to');
  const today = utcDayOf(now);
  const wrong: (ErrorDetail | undefined)[] = [
    preset !== undefined && (hasFrom || hasTo)
      ? { field: 'preset', message: 'Use either preset, or from and to.' }
      : undefined,
    checkDay('from', from, today),
    checkDay('to', to, today) ?? checkOrder(from, to, today),
    hasTo && !hasFrom
      ? { field: 'from', message: 'This is required when to is given.' }
      : undefined,
  ];
  const details = wrong.filter((detail) => detail !== undefined);
  if (details.length > 0 || from === undefined || refused.has('to')) return details;
  const end = to ?? today;
  if (from > end) return [{ field: 'from', message: 'This must not be after to.' }];
  return isTooLong({ from, to: end }, interval) ? [seriesTooLong('from')] : [];
}

function checkDay(
  field: 'from' | 'to',
  day: string | undefined,
  today: UtcDay,
): ErrorDetail | undefined {
  if (day === undefined) return undefined;
  if (!isUtcDay(day)) return { field, message: 'This day does not exist.' };
  if (day < firstStatisticsDay)
    return { field, message: `This must be ${firstStatisticsDay} or later.` };
  return day > today ? { field, message: 'This must not be after today (UTC).' } : undefined;
}

/** A `from` after today is refused on its own: this names the `to` before it at the same time. */
function checkOrder(
  from: string | undefined,
  to: string | undefined,
  today: UtcDay,
): ErrorDetail | undefined {
  if (from === undefined || to === undefined || !isUtcDay(from)) return undefined;
  const isBefore = from > today && to < from;
  return isBefore ? { field: 'to', message: 'This must not be before from.' } : undefined;
}

/** The range of parameters in which `checkRange` has found nothing wrong. */
export function toRangeRequest({ preset = '30d', from, to }: RangeParameters): RangeRequest {
  return from === undefined ? { preset } : { from, to };
}

/** A range within the plan's history. A preset `all` begins where the data does, or later. */
export interface LimitedRange extends Pick<UsedRange, 'requestedTo' | 'to' | 'retentionDays'> {
  /** Undefined: `all`. */
  readonly requestedFrom: UtcDay | undefined;
  /** No day before this one may be shown. */
  readonly from: UtcDay;
}

/**
 * Moves the beginning up to the plan's history (undefined: unlimited). Throws `outside_retention` if
 * the range ends before it.
 */
export function limitRange(
  request: RangeRequest,
  now: Date,
  retentionDays: number | undefined,
): LimitedRange {
  const today = utcDayOf(now);
  const { from: requestedFrom, to } = daysOf(request, today);
  const floor = firstShownDay(retentionDays, today);
  if (to < floor) {
    const message = `This podcast's plan shows the last ${retentionDays} days, from ${floor}.`;
    throw invalid('to', message, 'outside_retention');
  }
  const from = requestedFrom === undefined || requestedFrom < floor ? floor : requestedFrom;
  return { requestedFrom, requestedTo: to, from, to, retentionDays: retentionDays ?? null };
}

/** The first day that the plan's history shows (undefined: unlimited). */
export function firstShownDay(retentionDays: number | undefined, today: UtcDay): UtcDay {
  return retentionDays === undefined ? firstStatisticsDay : addDays(today, 1 - retentionDays);
}

function daysOf(
  request: RangeRequest,
  today: UtcDay,
): { readonly from: UtcDay | undefined; readonly to: UtcDay } {
  if ('from' in request) return { from: request.from, to: request.to ?? today };
  switch (request.preset) {
    case 'all':
      return { from: undefined, to: today };
    case '12m':
      return { from: addDays(subtractMonths(today, 12), 1), to: today };
    default:
      return { from: addDays(today, 1 - Number.parseInt(request.preset, 10)), to: today };
  }
}

/** Completes a range once it is known when the data begins. */
export function useRange(limited: LimitedRange, dataStart: UtcDay | null): UsedRange {
  const { requestedTo, to, retentionDays } = limited;
  const start = dataStart === null || dataStart > to ? to : dataStart;
  const requestedFrom = limited.requestedFrom ?? start;
  const isClamped = requestedFrom < limited.from;
  return {
    requestedFrom,
    requestedTo,
    from: isClamped ? limited.from : requestedFrom,
    to,
    clampReason: isClamped ? 'plan_history' : null,
    retentionDays,
    dataStart,
  };
}

/** Throws `series_too_long` for a daily series of a preset that is longer than any may be. */
export function checkSeriesLength(range: UsedRange, interval: Interval): void {
  if (!isTooLong(range, interval)) return;
  const detail = seriesTooLong('preset');
  throw new DomainError('invalid', detail.message, { details: [detail] });
}

function isTooLong({ from, to }: DayRange, interval: Interval | undefined): boolean {
  return interval === 'day' && countDays(from, to) > longestDailySeries;
}

function seriesTooLong(field: string): ErrorDetail {
  const message = `A daily series has at most ${longestDailySeries} days: choose a shorter range, or the interval week or month.`;
  return { field, message, reason: 'series_too_long' };
}
