import { describe, expect, it } from 'vitest';
import { formatClock, formatDay, formatSpoken, tryParseTime } from './time.ts';

describe('formatClock', () => {
  it.each([
    [0, '0:00'],
    [9.99, '0:09'],
    [61, '1:01'],
    [600, '10:00'],
    [3599.9, '59:59'],
    [3600, '1:00:00'],
    [36_061, '10:01:01'],
    [-1, '0:00'],
  ])('%d is %s', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });
});

describe('formatSpoken', () => {
  it.each([
    [0, 'en', '0 seconds'],
    [61, 'en', '1 minute 1 second'],
    [3723, 'en', '1 hour 2 minutes 3 seconds'],
    [7200, 'de', '2 Stunden'],
    [65, 'ja', '1 分 5 秒'],
  ])('%d in %s is %s', (seconds, language, text) => {
    expect(formatSpoken(seconds, language)).toBe(text);
  });
});

describe('formatDay', () => {
  it.each([
    ['Europe/Berlin', 'en', 'Nov 26, 2026, GMT+1'],
    ['America/New_York', 'en', 'Nov 25, 2026'],
    ['Asia/Tokyo', 'de', '26. Nov. 2026, GMT+9'],
    ['Mars/Olympus', 'en', 'Nov 25, 2026'],
  ])('formatDay in %s writes %s as %s for a reader in UTC', (zone, locale, text) => {
    expect(formatDay('2026-11-25T23:37:00Z', locale, zone, 'UTC')).toBe(text);
  });
});

describe('tryParseTime', () => {
  it.each([
    ['90', 90],
    ['1.5', 1.5],
    ['1:30', 90],
    ['1:02:03', 3723],
    ['0', 0],
  ])('%s is %d', (text, seconds) => {
    expect(tryParseTime(text)).toBe(seconds);
  });

  it.each([null, '', ' ', 'soon', '-5', '1:', ':30', '1:2:3:4', '1e3', 'Infinity'])(
    '%j is not a time',
    (text) => {
      expect(tryParseTime(text)).toBeUndefined();
    },
  );
});
