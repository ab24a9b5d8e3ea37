import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tryParseTime, writeTime } from './times.ts';

it.each([
  ['1:02:03.5', 3723.5],
  ['62:03', 3723],
  ['95', 95],
  [' 0:01,25 ', 1.25],
  ['1:75', undefined],
  ['1:2:3:4', undefined],
  ['-1', undefined],
  ['', undefined],
  ['soon', undefined],
])('%s is %s seconds', (text, seconds) => {
  expect(tryParseTime(text)).toBe(seconds);
});

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.nat(300_000_000), (ms) => {
      expect(tryParseTime(writeTime(ms / 1000))).toBeCloseTo(ms / 1000, 3);
    }),
  );
});
