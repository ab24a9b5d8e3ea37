import { describe, expect, it } from 'vitest';
import { type TimeUnit, tryParseCount, tryParseSeconds } from './read-figure.ts';

describe('a count', () => {
  it.each([
    ['0', 0],
    ['1204', 1204],
    ['1,204', 1204],
    ['1.204', 1204],
    ['1.204.567', 1_204_567],
    ['1,204,567.00', 1_204_567],
    ['1 204', 1204],
    ['1\u00a0204', 1204],
    ['1\u202f204', 1204],
    ["1'204", 1204],
    ['1204.0', 1204],
    ['1204,00', 1204],
    ['1,204.000', 1204],
    ['１２０４', 1204],
    ['１，２０４．０', 1204],
  ])('a count is read from %j', (text, count) => expect(tryParseCount(text)).toBe(count));

  it.each(['', ' ', '-', '–', 'NaN', 'n/a', 'Not enough data'])(
    'a count is missing in %j',
    (text) => expect(tryParseCount(text)).toBeNull(),
  );

  it.each([
    '1.5',
    '12,5',
    '1,20,4',
    '1,204.567,8',
    '-5',
    '12K',
    '5 %',
    '<5',
    '1e9',
    '9'.repeat(16),
    '١٢٣',
    '१२३',
    '5²',
    '½',
    '－５',
  ])('a count cannot be read from %j', (text) => expect(tryParseCount(text)).toBeUndefined());
});

describe('a time', () => {
  it.each<[string, TimeUnit, number]>([
    ['412300', 'seconds', 412_300],
    ['412,300', 'seconds', 412_300],
    ['90.4', 'seconds', 90],
    ['1.5', 'hours', 5400],
    ['1,5', 'hours', 5400],
    ['1.204', 'hours', 4334],
    ['1,204', 'hours', 4_334_400],
    ['1,204.5', 'hours', 4_336_200],
    ['1.204,5', 'hours', 4_336_200],
    ['90', 'minutes', 5400],
    ['１：０２：０３', 'hours', 3723],
    ['01:02:03', 'hours', 3723],
    ['1204:30', 'hours', 4_336_200],
    ['1:02:03.5', 'seconds', 3723],
  ])('%j in %s is %i s', (text, unit, seconds) =>
    expect(tryParseSeconds(text, unit)).toBe(seconds),
  );

  it('a time may be missing, and may be unreadable', () => {
    expect(tryParseSeconds('—', 'hours')).toBeNull();
    for (const text of ['1:99:00', '3 h 5', '-4', '1.2.3']) {
      expect(tryParseSeconds(text, 'hours'), text).toBeUndefined();
    }
  });
});
