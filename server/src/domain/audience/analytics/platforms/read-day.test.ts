import { expect, it } from 'vitest';
import { DayColumn, tryParseDay } from './read-day.ts';

/** The days of a column, in its order. */
function daysOf(...texts: string[]): (string | undefined)[] {
  const column = new DayColumn();
  const read = texts.map((text) => column.add(text));
  return read.map((day) => column.resolve(day));
}

it.each([
  ['2026-03-05', '2026-03-05'],
  ['20260305', '2026-03-05'],
  ['2026/03/05', '2026-03-05'],
  ['２０２６/０３/０５', '2026-03-05'],
  ['2026-03-05T23:30:00Z', '2026-03-05'],
  ['2026-03-05 23:30:00', '2026-03-05'],
  ['202602', '2026-02-28'],
  ['2024-02', '2024-02-29'],
  ['5.3.2026', '2026-03-05'],
  ['05.03.26', '2026-03-05'],
  ['3/25/2026', '2026-03-25'],
  ['25/3/2026 10:30', '2026-03-25'],
  ['3/25/2026, 10:30:00 PM', '2026-03-25'],
  ['25-03-2026', '2026-03-25'],
  ['Mar 5, 2026', '2026-03-05'],
  ['5 March 2026', '2026-03-05'],
])('%j is %s', (text, day) => expect(daysOf(text)).toEqual([day]));

it.each([
  '',
  '-',
  'soon',
  '2026-13-05',
  '2026-02-30',
  '31/31/2026',
  '0000-01-01',
  '202613',
  '12345',
  '25/3/2026 - 31/3/2026',
])('%j is not a day', (text) => expect(daysOf(text)).toEqual([undefined]));

it('learns the order of day and month from the rest of the column', () => {
  expect(daysOf('3/5/2026', '3/25/2026')).toEqual(['2026-03-05', '2026-03-25']);
  expect(daysOf('3/5/2026', '25/3/2026')).toEqual(['2026-05-03', '2026-03-25']);
  expect(daysOf('3/3/2026')).toEqual(['2026-03-03']);
});

it('a day is missing where its column is ambiguous or contradicts itself', () => {
  expect(daysOf('3/5/2026', '4/5/2026')).toEqual([undefined, undefined]);
  expect(daysOf('3/5/2026', '25/3/2026', '3/25/2026')[0]).toBeUndefined();
});

it('a day is no later than the latest, except the end of a month that has begun', () => {
  const latest = '2026-03-11';
  const upTo = (text: string) => tryParseDay(text, latest);
  expect(upTo('2026-03-11')).toBeDefined();
  expect(upTo('202603')).toMatchObject({ dayFirst: '2026-03-31' });
  expect(upTo('3/4/2026')).toEqual({ monthFirst: '2026-03-04', dayFirst: undefined });
  for (const text of ['2026-03-12', '202604', '5.4.2026', 'Mar 12, 2026', '9999-12-31']) {
    expect(upTo(text)).toBeUndefined();
  }
});
