import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, countDays, lastDayOfMonth } from '../../../lib/utc-day.ts';
import { splitByMonths } from './whole-months.ts';

const today = '2026-11-22';
const write = (from: string, to: string) => {
  const { days, months } = splitByMonths({ from, to }, today);
  const parts = days.map((part) => `${part.from} ${part.to}`);
  return months === undefined ? parts : [...parts, `months ${months.from} ${months.to}`];
};

describe('a range', () => {
  it.each([
    // Twelve months, ten days of this month, a month that is over.
    ['2025-11-23', today, ['2025-11-23 2025-11-30', 'months 2025-12-01 2026-11-01']],
    ['2026-11-13', today, ['2026-11-13 2026-11-22']],
    ['2026-11-01', today, ['months 2026-11-01 2026-11-01']],
    ['2024-02-01', '2024-02-29', ['months 2024-02-01 2024-02-01']],
    ['2024-02-01', '2024-02-28', ['2024-02-01 2024-02-28']],
    ['2026-01-31', '2026-02-01', ['2026-01-31 2026-02-01']],
    [
      '2026-01-31',
      '2026-03-01',
      ['2026-01-31 2026-01-31', '2026-03-01 2026-03-01', 'months 2026-02-01 2026-02-01'],
    ],
    ['1970-01-01', today, ['months 1970-01-01 2026-11-01']],
  ])('%s to %s: %j', (from, to, expected) => {
    expect(write(from, to)).toEqual(expected);
  });

  it('a range is split into exactly its days, none twice', () => {
    const ranges = fc.tuple(fc.nat({ max: 3_000 }), fc.nat({ max: 1_200 }), fc.nat({ max: 40 }));
    fc.assert(
      fc.property(ranges, ([start, length, after]) => {
        const from = addDays('2019-01-01', start);
        const to = addDays(from, length);
        const now = addDays(to, after);
        const { days, months, excess } = splitByMonths({ from, to }, now);
        let counted = 0;
        for (const part of days) counted += countDays(part.from, part.to);
        if (months !== undefined) {
          const last = lastDayOfMonth(months.to);
          expect(months.from.endsWith('-01') && months.to.endsWith('-01')).toBe(true);
          expect(months.from >= from && (last <= to || to === now)).toBe(true);
          counted += countDays(months.from, last);
        }
        if (excess !== undefined) {
          expect(excess.from).toBe(addDays(to, 1));
          counted -= countDays(excess.from, excess.to);
        }
        expect(counted).toBe(countDays(from, to));
        // At most a month at each end is read by days.
        expect(days.every((part) => countDays(part.from, part.to) <= 61)).toBe(true);
      }),
    );
  });
});
