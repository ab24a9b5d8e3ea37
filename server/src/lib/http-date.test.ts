import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHttpDate, tryParseHttpDate } from './http-date.ts';

describe('tryParseHttpDate', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
    ['Wednesday, 06-Nov-24 08:49:37 GMT', '2024-11-06T08:49:37Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59Z'],
    ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00Z'],
  ])('reads %s', (text, expected) => {
    expect(tryParseHttpDate(text)).toBe(Date.parse(expected));
  });

  it.each([
    '',
    '0',
    '2024-02-29T23:59:59Z',
    'Thu, 29 Feb 2023 23:59:59 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
  ])('refuses %s', (text) => {
    expect(tryParseHttpDate(text)).toBeUndefined();
  });

  it('reads back what formatHttpDate writes, to the second', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        const second = Math.floor(date.getTime() / 1000) * 1000;
        expect(tryParseHttpDate(formatHttpDate(date))).toBe(second);
      }),
    );
  });
});
