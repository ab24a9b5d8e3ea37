import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoment, formatRfc2822, parseMoment, tryParseMoment } from './time.ts';

const now = new Date('2024-03-10T12:00:00.250Z');

describe('parseMoment', () => {
  it.each([
    ['-36h', '2024-03-09T00:00:00.250Z'],
    ['+2s', '2024-03-10T12:00:02.250Z'],
    ['-400d', '2023-02-04T12:00:00.250Z'],
    ['+1w', '2024-03-17T12:00:00.250Z'],
    ['-90m', '2024-03-10T10:30:00.250Z'],
    ['-0s', '2024-03-10T12:00:00.250Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2024-02-29T23:59Z', '2024-02-29T23:59:00.000Z'],
    ['2024-02-29T23:59:59.5Z', '2024-02-29T23:59:59.500Z'],
    ['2024-02-29T23:59:59.123456Z', '2024-02-29T23:59:59.123Z'],
    ['2024-02-29T23:59:59+02:00', '2024-02-29T21:59:59.000Z'],
    ['2024-02-29T23:59:59.001-09:30', '2024-03-01T09:29:59.001Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, expected) => {
    expect(parseMoment(text, now).toISOString()).toBe(expected);
  });

  it.each([
    '',
    '36h',
    '-36',
    '-h',
    '-36H',
    '-36 h',
    ' -36h',
    '-1.5h',
    '-36y',
    '--36h',
    '-36h\n',
    '+9999999999s',
    '+999999999w',
    '-999999999d',
    '2024-02-29',
    '2024-02-29T23:59:59',
    '2024-02-29 23:59:59Z',
    '2024-02-29t23:59:59z',
    '2023-02-29T23:59:59Z',
    '2024-02-30T23:59:59Z',
    '2024-13-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T23:60:00Z',
    '2024-01-01T23:59:60Z',
    '2024-01-01T00:00:00+15:00',
    '2024-01-01T00:00:00+0200',
    '2024-01-01T00:00:00.Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '+12024-01-01T00:00:00Z',
    '1709251199',
    'Thu, 29 Feb 2024 23:59:59 GMT',
  ])('refuses %j', (text) => {
    expect(tryParseMoment(text, now)).toBeUndefined();
    expect(() => parseMoment(text, now)).toThrow(RangeError);
  });

  it('quotes what it refuses, shortened if it is long', () => {
    expect(() => parseMoment('soon', now)).toThrow(
      '"soon" is neither an ISO 8601 timestamp with a zone nor as -36h or +2s',
    );
    expect(() => parseMoment('x'.repeat(1_000_000), now)).toThrow(/^.{1,150}$/);
  });

  it('reads back what JavaScript writes, and relative times', () => {
    const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(
        date,
        fc.nat(999_999),
        fc.constantFrom('s', 'm', 'h', 'd'),
        (moment, count, unit) => {
          expect(parseMoment(moment.toISOString(), now)).toEqual(moment);
          const later = tryParseMoment(`+${count}${unit}`, moment);
          if (later !== undefined) expect(parseMoment(`-${count}${unit}`, later)).toEqual(moment);
        },
      ),
    );
  });
});

describe('formatRfc2822', () => {
  it.each([
    ['2002-10-02T13:00:00.999Z', 'Wed, 02 Oct 2002 13:00:00 +0000'],
    ['1969-12-31T23:59:59.500Z', 'Wed, 31 Dec 1969 23:59:59 +0000'],
    ['2024-02-29T00:00:00+05:00', 'Wed, 28 Feb 2024 19:00:00 +0000'],
  ])('%s → %s', (iso, expected) => {
    expect(formatRfc2822(new Date(iso))).toBe(expected);
  });

  it('refuses an invalid date', () => {
    expect(() => formatRfc2822(new Date(Number.NaN))).toThrow(RangeError);
  });
});

it.each([
  ['2026-03-01T09:05:59.999Z', 'en', '1 March 2026 at 09:05 UTC'],
  ['2026-12-31T23:30:00-02:00', 'en', '1 January 2027 at 01:30 UTC'],
  ['2026-06-15T00:00:00Z', 'en', '15 June 2026 at 00:00 UTC'],
  ['2026-03-01T09:05:00Z', 'de', '1. März 2026 um 09:05 UTC'],
  ['2026-03-01T09:05:00Z', 'ja', '2026年3月1日 9:05 UTC'],
] as const)('formatMoment of %s in %s: %s', (iso, language, expected) => {
  expect(formatMoment(new Date(iso), language)).toBe(expected);
});
