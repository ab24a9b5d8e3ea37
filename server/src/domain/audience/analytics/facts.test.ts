import { describe, expect, it } from 'vitest';
import type { FactsRow } from './facts.sql.ts';
import { completeThrough, describeFacts, isFirstWeekComplete } from './facts.ts';
import { limitRange } from './range.ts';

describe('the last complete day', () => {
  it.each([
    ['nobody counts', null, '2026-11-21'],
    ['the slowest process is up to date', '2026-11-22T15:29:59Z', '2026-11-21'],
    ['it has just passed midnight', '2026-11-22T00:00:00.000Z', '2026-11-21'],
    ['it has yet to pass midnight', '2026-11-21T23:59:59.999Z', '2026-11-20'],
    ['it has stopped days ago', '2026-11-19T04:00:00Z', '2026-11-18'],
    ['its clock is ahead', '2026-11-24T01:00:00Z', '2026-11-21'],
  ])('the last complete day is found if %s', (_, until, expected) => {
    expect(completeThrough(until === null ? null : new Date(until), '2026-11-22')).toBe(expected);
  });
});

it.each([
  ['2026-03-10', '2026-03-09', false],
  ['2026-03-10', '2026-03-10', false],
  ['2026-03-10', '2026-03-15', false],
  ['2026-03-10', '2026-03-16', true],
  ['2026-03-10', '2026-05-01', true],
  [null, '2026-03-16', null],
  ['2026-03-10', null, null],
])(
  'the first week from %s, counted through %s, is complete: %s',
  (published, complete, expected) => {
    expect(isFirstWeekComplete(published, complete)).toBe(expected);
  },
);

describe('facts', () => {
  const now = new Date('2026-11-22T15:30:00Z');
  const row: FactsRow = {
    hostingType: 'hosted',
    dataStart: '2026-01-15',
    updatedAt: now,
    completeUntil: null,
  };

  it('facts are of the podcast’s own counts', () => {
    const limited = limitRange({ from: '2026-02-01', to: '2026-11-21' }, now, undefined);
    expect(describeFacts(row, limited, now).freshness).toEqual({
      source: 'first_party',
      verifiedFrom: '2026-01-15',
      completeThrough: '2026-11-21',
      isTodayPartial: false,
      lastUpdatedAt: now,
    });
    const untilToday = limitRange({ preset: '7d' }, now, undefined);
    expect(describeFacts(row, untilToday, now).freshness.isTodayPartial).toBe(true);
  });

  it('facts say that nothing is counted of a podcast hosted elsewhere, whatever is in the sums', () => {
    const limited = limitRange({ preset: 'all' }, now, undefined);
    const { range, freshness } = describeFacts({ ...row, hostingType: 'external' }, limited, now);
    expect(range).toMatchObject({ from: '2026-11-22', dataStart: null });
    expect(freshness).toEqual({
      source: 'none',
      verifiedFrom: null,
      completeThrough: null,
      isTodayPartial: true,
      lastUpdatedAt: null,
    });
  });
});
