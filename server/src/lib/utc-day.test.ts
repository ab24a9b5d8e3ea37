import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  countDays,
  firstDayOfMonth,
  firstDayOfWeek,
  isUtcDay,
  lastDayOfMonth,
  lastDayOfWeek,
  subtractMonths,
  utcDayOf,
} from './utc-day.ts';

const anyMoment = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2400-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const anyDay = anyMoment.map(utcDayOf);

it('the day of any moment is that of its ISO form, in any order of moments', () => {
  const aroundMidnight = fc
    .tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 2 }))
    .map(([days, ms]) => new Date(days * 86_400_000 + ms));
  fc.assert(
    fc.property(fc.array(fc.oneof(anyMoment, aroundMidnight)), (moments) => {
      for (const moment of moments)
        expect(utcDayOf(moment)).toBe(moment.toISOString().slice(0, 10));
    }),
  );
  expect(() => utcDayOf(new Date(Number.NaN))).toThrow(RangeError);
});

describe('a day', () => {
  it.each([
    ['2026-03-01', true],
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['0001-01-01', true],
    ['9999-12-31', true],
    ['2026-02-29', false],
    ['2100-02-29', false],
    ['2026-02-30', false],
    ['2026-00-10', false],
    ['2026-13-01', false],
    ['2026-01-00', false],
    ['2026-04-31', false],
    ['0000-01-01', false],
    ['2026-3-1', false],
    ['2026-03-01T00:00:00Z', false],
    ['+02026-03-01', false],
    ['２０２６-03-01', false],
    ['', false],
  ])('%s: %s', (text, expected) => {
    expect(isUtcDay(text)).toBe(expected);
  });

  it('a day is that of UTC, to the millisecond', () => {
    expect(utcDayOf(new Date('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01');
    expect(utcDayOf(new Date('2026-03-02T00:00:00.000Z'))).toBe('2026-03-02');
    expect(utcDayOf(new Date('2026-03-02T01:30:00+02:00'))).toBe('2026-03-01');
  });

  it('a day plus days is as many days later', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 20_000 }), (day, days) => {
        const later = addDays(day, days);
        expect(isUtcDay(later)).toBe(true);
        expect(countDays(day, later)).toBe(days + 1);
        expect(addDays(later, -days)).toBe(day);
      }),
    );
  });
});

describe('months', () => {
  it.each([
    ['2026-11-22', 12, '2025-11-22'],
    ['2028-02-29', 12, '2027-02-28'],
    ['2027-02-28', 12, '2026-02-28'],
    ['2026-03-31', 1, '2026-02-28'],
    ['2024-03-31', 1, '2024-02-29'],
    ['2026-01-15', 1, '2025-12-15'],
    ['2026-05-31', 3, '2026-02-28'],
  ])('%s less %i months is %s', (day, months, expected) => {
    expect(subtractMonths(day, months)).toBe(expected);
  });

  it.each([
    ['2026-02-10', '2026-02-01', '2026-02-28'],
    ['2028-02-29', '2028-02-01', '2028-02-29'],
    ['2026-12-31', '2026-12-01', '2026-12-31'],
    ['2026-04-01', '2026-04-01', '2026-04-30'],
  ])('%s is in %s to %s', (day, first, last) => {
    expect([firstDayOfMonth(day), lastDayOfMonth(day)]).toEqual([first, last]);
  });
});

describe('weeks', () => {
  it.each([
    ['2026-11-22', '2026-11-16', '2026-11-22'],
    ['2026-11-23', '2026-11-23', '2026-11-29'],
    ['2026-01-01', '2025-12-29', '2026-01-04'],
    ['2021-01-03', '2020-12-28', '2021-01-03'],
    ['2024-02-29', '2024-02-26', '2024-03-03'],
  ])('%s is in %s to %s', (day, first, last) => {
    expect([firstDayOfWeek(day), lastDayOfWeek(day)]).toEqual([first, last]);
  });

  it('weeks begin on a Monday and have seven days', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const [first, last] = [firstDayOfWeek(day), lastDayOfWeek(day)];
        expect(new Date(first).getUTCDay()).toBe(1);
        expect(countDays(first, last)).toBe(7);
        expect(first <= day && day <= last).toBe(true);
      }),
    );
  });
});
