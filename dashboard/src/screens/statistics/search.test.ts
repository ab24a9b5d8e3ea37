import { describe, expect, it } from 'vitest';
import { intervalOf, problemOfDays, rangeOf, readStatisticsSearch } from './search.ts';

const id = '0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f';

describe('the address', () => {
  it.each([
    [{}, { preset: '30d' }],
    [{ preset: '7d' }, { preset: '7d' }],
    [{ preset: 'yesterday' }, { preset: '30d' }],
    [{ from: '2026-03-01', preset: '7d' }, { from: '2026-03-01' }],
    [
      { from: '2026-03-01', to: '2026-03-09' },
      { from: '2026-03-01', to: '2026-03-09' },
    ],
    [{ from: '2026-03-09', to: '2026-03-01' }, { preset: '30d' }],
    [{ from: '2026-13-01' }, { preset: '30d' }],
    [{ from: 7 }, { preset: '30d' }],
    [{ to: '2026-03-01' }, { preset: '30d' }],
  ])('%j is the range %j', (search, range) => {
    expect(rangeOf(readStatisticsSearch(search))).toEqual(range);
  });

  it.each([
    [id, id],
    [`${id},${id}`, `${id},${id}`],
    [`${id},`, undefined],
    ['1 or 1', undefined],
    [[id], undefined],
  ])('compares with %j', (compared, expected) => {
    expect(readStatisticsSearch({ with: compared }).with).toBe(expected);
  });
});

it.each([
  [30, 30],
  [31, undefined],
  ['30', undefined],
])('compares episodes over %j days: %j', (days, expected) => {
  expect(readStatisticsSearch({ days }).days).toBe(expected);
});

describe('the interval', () => {
  it.each([
    [{}, 'day'],
    [{ preset: '90d' }, 'day'],
    [{ preset: '12m' }, 'week'],
    [{ preset: 'all' }, 'month'],
    [{ preset: 'all', interval: 'week' }, 'week'],
    [{ from: '2026-01-01' }, 'day'],
    [{ from: '2025-01-01' }, 'week'],
    [{ from: '2020-01-01', to: '2026-01-01' }, 'month'],
    [{ interval: 'hour' }, 'day'],
  ])('the interval of %j is a %s', (search, interval) => {
    expect(intervalOf(readStatisticsSearch(search), '2026-03-10')).toBe(interval);
  });
});

it.each([
  ['2026-03-01', '2026-03-09', undefined],
  ['2026-03-09', '2026-03-09', undefined],
  ['2026-03-09', '2026-03-01', 'order'],
  ['2026-03-09', '', undefined],
  ['', '2026-03-09', undefined],
  ['0020-03-01', '', 'bounds'],
  ['0020-03-01', '2026-03-09', 'bounds'],
  ['2026-03-01', '0020-03-09', 'bounds'],
  ['2026-03-01', '2026-03-11', 'bounds'],
  ['2026-03-01', '12026-03-09', 'bounds'],
])('the days from %j to %j have the problem %j', (from, to, problem) => {
  expect(problemOfDays({ from, to }, '1970-01-01', '2026-03-10')).toBe(problem);
});
