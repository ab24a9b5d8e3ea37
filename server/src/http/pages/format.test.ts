import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  excerpt,
  formatBytes,
  formatClock,
  formatDate,
  formatExactDate,
  formatLength,
  isoDuration,
} from './format.ts';

describe('dates', () => {
  it.each([
    ['en', 'UTC', 'March 1, 2026'],
    ['en-GB', 'America/New_York', '1 March 2026'],
    ['de-AT', 'Europe/Berlin', '2. März 2026'],
    ['no-language-at-all', 'UTC', 'March 1, 2026'],
  ])('a date in %s and %s is written as %s', (language, zone, expected) => {
    expect(formatDate(new Date('2026-03-01T23:59:59Z'), language, zone)).toBe(expected);
  });

  it('dates are exact with time and zone', () => {
    const text = formatExactDate(new Date('2026-11-25T23:37:00Z'), 'en-GB', 'Europe/Berlin');
    expect(text).toBe('26 November 2026 at 00:37 CET');
  });
});

describe('lengths', () => {
  it.each([
    [0, '0 sec'],
    [59_400, '59 sec'],
    [59_600, '1 min'],
    [2_524_000, '42 min'],
    [3_599_000, '1 hr'],
    [3_900_000, '1 hr 5 min'],
    [86_400_000, '24 hr'],
  ])('%d ms: %s', (ms, expected) => {
    expect(formatLength(ms, 'en')).toBe(expected);
  });

  it.each([
    [0, '0:00'],
    [-5, '0:00'],
    [65_999, '1:05'],
    [3_599_999, '59:59'],
    [3_725_000, '1:02:05'],
  ])('the position %d ms: %s', (ms, expected) => {
    expect(formatClock(ms)).toBe(expected);
  });

  it('lengths for machines are ISO 8601 durations', () => {
    expect(isoDuration(1_834_400)).toBe('PT1834S');
  });
});

describe('sizes', () => {
  it.each([
    [900, '0.9 kB'],
    [512_000, '512 kB'],
    [1_250_000, '1.3 MB'],
    [29_344_512, '29 MB'],
  ])('%d: %s', (bytes, expected) => {
    expect(formatBytes(bytes, 'en')).toBe(expected);
  });
});

describe('excerpt', () => {
  it.each([
    ['short', 20, 'short'],
    ['  two\n\n lines ', 20, 'two lines'],
    ['one two three four', 12, 'one two…'],
    ['one two, three four', 12, 'one two…'],
    ['abcdefghijklmnop', 10, 'abcdefghi…'],
    ['12345678😀z', 10, '12345678…'],
    [`a${' '.repeat(38)}😀`, 10, 'a'],
  ])('%j to %d: %j', (text, max, expected) => {
    expect(excerpt(text, max)).toBe(expected);
  });

  it('excerpt is never too long and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 50 }), (text, max) => {
        const cut = excerpt(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
