import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, countDays } from '../../../lib/utc-day.ts';
import {
  countPeriods,
  type DayCounts,
  type Interval,
  intervals,
  listPeriods,
  sumPeriods,
} from './periods.ts';

const write = (from: string, to: string, interval: Interval, today: string) =>
  listPeriods({ from, to }, interval, today).map(
    ({ start, end, isPartial }) => `${start} ${end}${isPartial ? ' partial' : ''}`,
  );

describe('periods', () => {
  it('periods are days, of which only today is partial', () => {
    expect(write('2026-11-20', '2026-11-22', 'day', '2026-11-22')).toEqual([
      '2026-11-20 2026-11-20',
      '2026-11-21 2026-11-21',
      '2026-11-22 2026-11-22 partial',
    ]);
  });

  // STAT-5, STAT-14
  it('periods are ISO weeks, cut by the range', () => {
    expect(write('2026-11-04', '2026-11-18', 'week', '2026-11-22')).toEqual([
      '2026-11-04 2026-11-08 partial',
      '2026-11-09 2026-11-15',
      '2026-11-16 2026-11-18 partial',
    ]);
  });

  // STAT-14
  it('periods that hold today are partial, even on their last day', () => {
    // A Sunday, which ends the week.
    expect(write('2026-11-09', '2026-11-22', 'week', '2026-11-22')).toEqual([
      '2026-11-09 2026-11-15',
      '2026-11-16 2026-11-22 partial',
    ]);
    expect(write('2026-11-01', '2026-11-30', 'month', '2026-11-30')).toEqual([
      '2026-11-01 2026-11-30 partial',
    ]);
    expect(write('2026-11-01', '2026-11-30', 'month', '2026-12-01')).toEqual([
      '2026-11-01 2026-11-30',
    ]);
  });

  it('periods are weeks across the end of a year', () => {
    expect(write('2020-12-28', '2021-01-10', 'week', '2026-11-22')).toEqual([
      '2020-12-28 2021-01-03',
      '2021-01-04 2021-01-10',
    ]);
    expect(write('2025-12-29', '2026-01-04', 'week', '2026-11-22')).toEqual([
      '2025-12-29 2026-01-04',
    ]);
  });

  it('periods are months, with a 29 February', () => {
    expect(write('2024-01-31', '2024-03-01', 'month', '2026-11-22')).toEqual([
      '2024-01-31 2024-01-31 partial',
      '2024-02-01 2024-02-29',
      '2024-03-01 2024-03-01 partial',
    ]);
  });
});

// STAT-15
it('counts of weeks are added up, and the listeners are those of the best day', () => {
  const periods = listPeriods({ from: '2026-11-09', to: '2026-11-18' }, 'week', '2026-11-22');
  const counted = countPeriods(periods, [
    { day: '2026-11-10', downloads: 5, listeners: 4 },
    { day: '2026-11-15', downloads: 3, listeners: 3 },
    { day: '2026-11-16', downloads: 7, listeners: 2 },
  ]);
  expect(
    counted.map(({ downloads, peakDailyListeners }) => [downloads, peakDailyListeners]),
  ).toEqual([
    [8, 4],
    [7, 2],
  ]);
  expect(sumPeriods(counted)).toEqual({ downloads: 15, peakDailyListeners: 4 });
});

const anyRange = fc
  .tuple(fc.nat({ max: 40_000 }), fc.nat({ max: 1_500 }), fc.nat({ max: 1_500 }))
  .map(([start, length, after]) => {
    const from = addDays('1970-01-01', start);
    const to = addDays(from, length);
    return { from, to, today: addDays(to, after) };
  });

// STAT-14
it('periods of any range are dense, in order and as long as it', () => {
  fc.assert(
    fc.property(anyRange, fc.constantFrom(...intervals), ({ from, to, today }, interval) => {
      const periods = listPeriods({ from, to }, interval, today);
      expect(periods[0]?.start).toBe(from);
      expect(periods.at(-1)?.end).toBe(to);
      for (const [index, { start, end }] of periods.entries()) {
        expect(start <= end).toBe(true);
        const before = periods[index - 1];
        if (before !== undefined) expect(start).toBe(addDays(before.end, 1));
      }
      const lengths = periods.map(({ start, end }) => countDays(start, end));
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(countDays(from, to));
      // Only the ends may be cut.
      expect(periods.slice(1, -1).every(({ isPartial }) => !isPartial)).toBe(true);
    }),
  );
});

it('the sum of the periods is the sum of the days', () => {
  const counts = fc.array(
    fc.record({ ago: fc.nat({ max: 1_500 }), downloads: fc.nat(), share: fc.nat({ max: 100 }) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(anyRange, fc.constantFrom(...intervals), counts, (range, interval, given) => {
      const byDay = new Map<string, DayCounts>();
      for (const { ago, downloads, share } of given) {
        const day = addDays(range.to, -ago);
        const listeners = Math.floor((downloads * share) / 100);
        if (day >= range.from) byDay.set(day, { day, downloads, listeners });
      }
      const days = [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
      const periods = countPeriods(listPeriods(range, interval, range.today), days);
      expect(sumPeriods(periods)).toEqual({
        downloads: days.reduce((sum, { downloads }) => sum + downloads, 0),
        peakDailyListeners: Math.max(0, ...days.map(({ listeners }) => listeners)),
      });
    }),
  );
});
