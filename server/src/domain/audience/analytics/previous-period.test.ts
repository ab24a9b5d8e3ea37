import { describe, expect, it } from 'vitest';
import { addDays, countDays } from '../../../lib/utc-day.ts';
import { describeFacts } from './facts.ts';
import { comparePeriods, findDaysBefore } from './previous-period.ts';
import { limitRange, type RangeRequest } from './range.ts';

// A Sunday.
const now = new Date('2026-11-22T15:30:00Z');
/** One download more on each day. */
const days = Array.from({ length: 60 }, (_, index) => ({
  day: addDays('2026-09-24', index),
  downloads: index + 1,
  listeners: index + 1,
}));

function compare(
  request: RangeRequest,
  { retentionDays, dataStart = '2026-09-24', interval = 'day', isHosted = true } = {} as {
    readonly retentionDays?: number;
    readonly dataStart?: string;
    readonly interval?: 'day' | 'week' | 'month';
    readonly isHosted?: boolean;
  },
) {
  const limited = limitRange(request, now, retentionDays);
  const row = {
    hostingType: isHosted ? ('hosted' as const) : ('external' as const),
    ...{ dataStart, updatedAt: now, completeUntil: null },
  };
  const before = findDaysBefore(limited, now);
  return comparePeriods(before, describeFacts(row, limited, now), interval, days);
}

describe('the period before a range', () => {
  it('the period before a range has its length, and ends the day before it', () => {
    const { previous } = compare({ from: '2026-11-01', to: '2026-11-10' });
    expect(previous).toMatchObject({ from: '2026-10-22', to: '2026-10-31', isCovered: true });
    expect(previous?.periods.map(({ downloads }) => downloads)).toEqual([
      29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
    ]);
    expect(previous?.totals.downloads).toBe(335);
    expect(previous?.compared).toEqual({ days: 10, downloads: 435, previousDownloads: 335 });
  });

  it('the period before a range is compared without today, which is not over', () => {
    const { previous } = compare({ preset: '7d' });
    // 54 to 59 of the week, whose last day has 60; 47 to 52 of the week before.
    expect(previous?.compared).toEqual({ days: 6, downloads: 339, previousDownloads: 297 });
  });

  it.each(['week', 'month'] as const)(
    'the period before a range has each %s at its place, of its length',
    (interval) => {
      const { previous } = compare({ from: '2026-10-28', to: '2026-11-18' }, { interval });
      const lengths = previous?.periods.map(({ start, end }) => countDays(start, end));
      expect(lengths).toEqual(interval === 'week' ? [5, 7, 7, 3] : [4, 18]);
      expect(previous?.periods[0]?.start).toBe('2026-10-06');
      expect(previous?.periods.at(-1)?.end).toBe('2026-10-27');
    },
  );

  it('the period before a range is not covered if the counting began in it', () => {
    const { previous } = compare({ from: '2026-10-01', to: '2026-10-20' });
    expect(previous?.isCovered).toBe(false);
  });

  it('the period before a range has nothing to compare on the first day', () => {
    const { previous } = compare({ from: '2026-11-22', to: '2026-11-22' });
    expect(previous?.compared).toEqual({ days: 0, downloads: 0, previousDownloads: 0 });
  });

  it.each([
    ['the whole history', { preset: 'all' }, {}, 'whole_history'],
    ['days before the plan', { preset: '30d' }, { retentionDays: 59 }, 'plan_history'],
    ['a range that the plan cuts', { preset: '90d' }, { retentionDays: 60 }, 'plan_history'],
    ['audio hosted elsewhere', { preset: '7d' }, { isHosted: false }, 'not_counted'],
  ] as const)(
    'the period before a range is missing for %s',
    (_, request, options, reasonForNone) => {
      expect(compare(request, options)).toEqual({ previous: null, reasonForNone });
    },
  );

  it('the period before a range is shown if the plan reaches just as far', () => {
    expect(compare({ preset: '30d' }, { retentionDays: 60 }).previous?.from).toBe('2026-09-24');
  });
});
