import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, tryParseDuration } from './duration.ts';

describe('tryParseDuration', () => {
  it.each([
    ['3600', 3_600_000],
    ['0', 0],
    ['00:00:00', 0],
    ['5099.123456', 5_099_123],
    ['0.0004', 0],
    ['62:10', 3_730_000],
    ['2:05', 125_000],
    ['02:05', 125_000],
    ['180:00', 10_800_000],
    ['1:02:10', 3_730_000],
    ['01:02:10', 3_730_000],
    ['1:02:10.5', 3_730_500],
    ['62:10.0625', 3_730_063],
    ['1:2:3', 3_723_000],
    ['0:90:00', 5_400_000],
    ['00:00:75', 75_000],
    [' 1:02:10\n', 3_730_000],
    ['596:31:23.647', 2_147_483_647],
  ])('reads %s', (text, expected) => {
    expect(tryParseDuration(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    ':',
    '::',
    '1:',
    ':30',
    '1::2',
    '1:2:3:4',
    '-5',
    '-1:00',
    '+5',
    '1e3',
    '0x10',
    '5 min',
    '1h 2m',
    'PT1H',
    'NaN',
    'NaN:NaN',
    '1:02:100',
    '1,5',
    '1.',
    '.5',
    '٣٦٠٠',
    '596:31:23.648',
    '3600000000',
    '9'.repeat(1_000_000),
    `${'1:'.repeat(500_000)}1`,
  ])('refuses garbage (%#)', (text) => {
    expect(tryParseDuration(text)).toBeUndefined();
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0:00:00'],
    [499, '0:00:00'],
    [500, '0:00:01'],
    [3_730_499, '1:02:10'],
    [3_599_500, '1:00:00'],
    [2_147_483_647, '596:31:24'],
    [-1, '0:00:00'],
  ])('%i → %s', (durationMs, expected) => {
    expect(formatDuration(durationMs)).toBe(expected);
  });

  it('formatDuration can be parsed back, to the second', () => {
    fc.assert(
      fc.property(fc.nat(2_147_483), (seconds) => {
        expect(tryParseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });
});
