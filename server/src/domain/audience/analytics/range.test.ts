import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstStatisticsDay } from '../../../lib/limits.ts';
import { addDays, countDays, utcDayOf } from '../../../lib/utc-day.ts';
import type { DomainError } from '../../foundation/errors.ts';
import type { Interval } from './periods.ts';
import {
  checkRange,
  checkSeriesLength,
  limitRange,
  presets,
  type RangeParameters,
  type RangeRequest,
  toRangeRequest,
  type UsedRange,
  useRange,
} from './range.ts';

const now = new Date('2026-11-22T15:30:00Z');
const today = '2026-11-22';
const nothing: ReadonlySet<string> = new Set();

const rangeOf = (
  request: RangeRequest,
  {
    at = now,
    days,
    dataStart = null,
  }: { at?: Date; days?: number; dataStart?: string | null } = {},
): UsedRange => useRange(limitRange(request, at, days), dataStart);

function refusalOf(attempt: () => unknown): object {
  try {
    attempt();
  } catch (error) {
    const [detail] = (error as DomainError).details;
    return { kind: (error as DomainError).kind, field: detail?.field, reason: detail?.reason };
  }
  return {};
}

describe('parameters', () => {
  const wrong = (parameters: RangeParameters, interval: Interval | undefined = 'day') =>
    checkRange(parameters, nothing, interval, now).map(({ field, reason }) =>
      reason === undefined ? field : `${field} ${reason}`,
    );

  // STAT-1, STAT-2, STAT-6
  it.each<[RangeParameters, string[]]>([
    [{}, []],
    [{ preset: '12m' }, []],
    [{ from: '2026-11-22' }, []],
    [{ from: '2026-11-01', to: '2026-11-01' }, []],
    [{ from: '1970-01-01', to: '1970-01-01' }, []],
    [{ preset: '7d', from: '2026-11-01' }, ['preset']],
    [{ preset: '7d', to: '2026-11-01' }, ['preset', 'from']],
    [{ to: '2026-11-01' }, ['from']],
    [{ from: '2026-11-23' }, ['from']],
    [{ from: '2026-11-01', to: '2026-11-23' }, ['to']],
    [{ from: '2026-11-02', to: '2026-11-01' }, ['from']],
    [{ from: '2026-02-30', to: '2026-13-01' }, ['from', 'to']],
    [{ from: '2026-11-24', to: '2026-11-23' }, ['from', 'to']],
    [{ from: '2026-11-24', to: '2026-11-01' }, ['from', 'to']],
    [{ preset: '7d', from: '2026-11-24', to: '2026-11-01' }, ['preset', 'from', 'to']],
    [{ preset: 'all', from: '0000-01-01', to: '9999-12-31' }, ['preset', 'from', 'to']],
    [{ from: '1969-12-31', to: '1970-01-02' }, ['from']],
    [{ from: addDays(today, -1_099) }, []],
    [{ from: addDays(today, -1_100) }, ['from series_too_long']],
    [{ from: '2010-01-01', to: addDays('2010-01-01', 1_099) }, []],
    [{ from: '2010-01-01', to: addDays('2010-01-01', 1_100) }, ['from series_too_long']],
  ])('%j: wrong in %j', (parameters, expected) => {
    expect(wrong(parameters)).toEqual(expected);
  });

  it('parameters may span more than 1,100 days in weeks, in months, and without a series', () => {
    const decades = { from: firstStatisticsDay };
    expect(wrong(decades, 'week')).toEqual([]);
    expect(wrong(decades, 'month')).toEqual([]);
    expect(checkRange(decades, nothing, undefined, now)).toEqual([]);
  });

  it('parameters that the schema has refused count as given, and nothing else is said of them', () => {
    const refused = new Set(['from']);
    expect(checkRange({ to: '2026-11-01' }, refused, 'day', now)).toEqual([]);
    expect(checkRange({ preset: '7d' }, refused, 'day', now)).toMatchObject([{ field: 'preset' }]);
    expect(checkRange({ from: '2020-01-01' }, new Set(['to']), 'day', now)).toEqual([]);
  });

  // STAT-1
  it('parameters ask for thirty days when they say nothing', () => {
    expect(toRangeRequest({})).toEqual({ preset: '30d' });
    expect(toRangeRequest({ from: '2026-11-01' })).toEqual({ from: '2026-11-01', to: undefined });
  });
});

describe('a preset', () => {
  // STAT-3
  it.each([
    ['7d', '2026-11-22', '2026-11-16'],
    ['30d', '2026-11-22', '2026-10-24'],
    ['90d', '2026-11-22', '2026-08-25'],
    ['12m', '2026-11-22', '2025-11-23'],
    ['12m', '2028-02-29', '2027-03-01'],
    ['12m', '2029-02-28', '2028-02-29'],
    ['12m', '2026-12-31', '2026-01-01'],
    ['12m', '2024-03-01', '2023-03-02'],
  ] as const)('%s on %s begins on %s', (preset, day, from) => {
    for (const time of ['00:00:00.000', '12:00:00.000', '23:59:59.999']) {
      const range = rangeOf({ preset }, { at: new Date(`${day}T${time}Z`) });
      expect(range).toMatchObject({ requestedFrom: from, from, to: day, clampReason: null });
    }
  });

  // STAT-4
  it('the preset `all` begins where the data does, or today', () => {
    expect(rangeOf({ preset: 'all' }, { dataStart: '2011-04-05' })).toMatchObject({
      requestedFrom: '2011-04-05',
      from: '2011-04-05',
      clampReason: null,
    });
    expect(rangeOf({ preset: 'all' })).toMatchObject({ requestedFrom: today, from: today });
    const future = rangeOf({ preset: 'all' }, { dataStart: '2026-11-23' });
    expect(future).toMatchObject({ from: today, to: today });
  });
});

describe('the history of a plan', () => {
  // STAT-7
  it('the history of a plan moves the beginning up to its first day', () => {
    expect(rangeOf({ from: '2020-01-01', to: undefined }, { days: 90 })).toEqual({
      requestedFrom: '2020-01-01',
      requestedTo: today,
      from: '2026-08-25',
      to: today,
      clampReason: 'plan_history',
      retentionDays: 90,
      dataStart: null,
    });
    expect(rangeOf({ preset: '90d' }, { days: 90 })).toMatchObject({ clampReason: null });
    expect(rangeOf({ preset: '12m' }, { days: 90 })).toMatchObject({ from: '2026-08-25' });
    // Twelve months with a 29 February are a day longer than 365.
    const leap = rangeOf({ preset: '12m' }, { days: 365, at: new Date('2024-11-22T00:00:00Z') });
    expect(leap).toMatchObject({ requestedFrom: '2023-11-23', from: '2023-11-24' });
  });

  it('the history of a plan limits the preset `all`, and says so only if there is more', () => {
    const older = rangeOf({ preset: 'all' }, { days: 365, dataStart: '2020-02-02' });
    expect(older).toMatchObject({
      requestedFrom: '2020-02-02',
      from: '2025-11-23',
      clampReason: 'plan_history',
      dataStart: '2020-02-02',
    });
    const newer = rangeOf({ preset: 'all' }, { days: 365, dataStart: '2026-02-02' });
    expect(newer).toMatchObject({ from: '2026-02-02', clampReason: null, retentionDays: 365 });
  });

  // STAT-8
  it('refuses a range that ends before it', () => {
    const until = (to: string) => () => limitRange({ from: '2020-01-01', to }, now, 90);
    expect(refusalOf(until('2026-08-25'))).toEqual({});
    expect(refusalOf(until('2026-08-24'))).toEqual({
      kind: 'invalid',
      field: 'to',
      reason: 'outside_retention',
    });
  });

  // STAT-7
  it('the history of a plan has no effect if there is no limit', () => {
    expect(rangeOf({ from: firstStatisticsDay, to: undefined })).toMatchObject({
      from: firstStatisticsDay,
      clampReason: null,
      retentionDays: null,
    });
  });
});

// STAT-6
it('a daily series of a preset may be too long once it is clamped', () => {
  const all = (dataStart: string, days?: number) =>
    rangeOf({ preset: 'all' }, { dataStart, ...(days && { days }) });
  const refusal = (range: UsedRange, interval: Interval) =>
    refusalOf(() => checkSeriesLength(range, interval));
  const tooLong = { kind: 'invalid', field: 'preset', reason: 'series_too_long' };
  expect(refusal(all(addDays(today, -1_099)), 'day')).toEqual({});
  expect(refusal(all(addDays(today, -1_100)), 'day')).toEqual(tooLong);
  expect(refusal(all(addDays(today, -1_100)), 'week')).toEqual({});
  expect(refusal(all('1999-01-01', 1_095), 'day')).toEqual({});
});

it('a range is within what was asked for and the plan, at every moment', () => {
  const moment = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const days = fc.option(fc.constantFrom(1, 90, 365, 1_095), { nil: undefined });
  const back = fc.option(fc.nat({ max: 10_000 }), { nil: undefined });
  fc.assert(
    fc.property(moment, fc.constantFrom(...presets), days, back, (at, preset, limit, ago) => {
      const day = utcDayOf(at);
      const dataStart = ago === undefined ? null : addDays(day, -ago);
      const range = rangeOf({ preset }, { at, dataStart, ...(limit && { days: limit }) });
      expect(range.to).toBe(day);
      expect(range.from <= range.to).toBe(true);
      expect(range.from >= range.requestedFrom).toBe(true);
      expect(range.clampReason !== null).toBe(range.from > range.requestedFrom);
      if (limit !== undefined) expect(countDays(range.from, day)).toBeLessThanOrEqual(limit);
      if (preset === '12m') expect([365, 366]).toContain(countDays(range.requestedFrom, day));
    }),
  );
});
