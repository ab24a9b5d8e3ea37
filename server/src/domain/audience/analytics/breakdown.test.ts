import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedDimensions, type Dimension } from '../downloads/index.ts';
import { rankValues } from './breakdown.ts';

const rank = (
  dimension: Dimension,
  values: Readonly<Record<string, number>>,
  count = 5,
  total = Object.values(values).reduce((sum, downloads) => sum + downloads, 0),
) =>
  rankValues(
    dimension,
    Object.entries(values).map(([value, downloads]) => ({ value, downloads })),
    { total, count },
  );
const keys = (...given: Parameters<typeof rank>) =>
  rank(...given).map(({ key, downloads }) => `${key} ${downloads}`);

describe('the ranking', () => {
  // STAT-22, STAT-23
  it('the ranking sorts by downloads, then by key, and treats unknown entries like any other', () => {
    expect(keys('countries', { FR: 3, unknown: 9, DE: 3, AT: 10 })).toEqual([
      'AT 10',
      'unknown 9',
      'DE 3',
      'FR 3',
    ]);
  });

  // STAT-21
  it('adds up the remainder as other, which is last however large it is', () => {
    const values = { a: 6, b: 5, c: 4, d: 3, e: 2, f: 2, g: 1 };
    expect(keys('referrers', values, 2)).toEqual(['a 6', 'b 5', 'other 12']);
    expect(keys('referrers', values, 7).at(-1)).toBe('g 1');
    // Values of a lower rank need not be there.
    expect(keys('referrers', { a: 6, b: 5 }, 2, 100)).toEqual(['a 6', 'b 5', 'other 89']);
  });

  it('the ranking is empty without downloads', () => {
    expect(rank('apps', {})).toEqual([]);
  });

  it('unites spellings of one name, and a name that is taken', () => {
    expect(keys('apps', { 'Pocket Casts': 4, 'pocket casts': 3, Overcast: 5 })).toEqual([
      'pocket-casts 7',
      'overcast 5',
    ]);
    expect(keys('apps', { Other: 9, Overcast: 5 })).toEqual(['overcast 5', 'other 9']);
  });
});

describe('an entry', () => {
  // STAT-24
  it.each<[Dimension, string, string, string]>([
    ['apps', 'Apple Podcasts', 'apple-podcasts', 'Apple Podcasts'],
    ['apps', "Bo's Player (beta)", 'bo-s-player-beta', "Bo's Player (beta)"],
    ['apps', '小宇宙', '小宇宙', '小宇宙'],
    ['apps', '+++', '+++', '+++'],
    ['apps', 'unknown', 'unknown', 'Unknown'],
    ['devices', 'Apple iPhone', 'apple-iphone', 'Apple iPhone'],
    ['countries', 'DE', 'DE', 'Germany'],
    ['countries', 'ZZ', 'ZZ', 'Unknown Region'],
    ['countries', 'unknown', 'unknown', 'Unknown'],
    ['countries', 'Germany', 'Germany', 'Germany'],
    ['sources', 'listen_page', 'listen_page', 'Listen page'],
    ['referrers', 'blog.example.com', 'blog.example.com', 'blog.example.com'],
  ])('an entry of %s, %s: %s, %s', (dimension, value, key, label) => {
    expect(rank(dimension, { [value]: 1 })).toEqual([{ key, label, downloads: 1, share: 1 }]);
  });

  // STAT-22
  it('an entry has a share of four decimals', () => {
    const shares = rank('sources', { feed: 2, player: 1 }).map(({ share }) => share);
    expect(shares).toEqual([0.6667, 0.3333]);
  });
});

it('the entries are the total, unique and in order, whatever the values', () => {
  const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
  const values = fc.dictionary(names, fc.integer({ min: 1, max: 1_000 }), { maxKeys: 30 });
  fc.assert(
    fc.property(
      fc.constantFrom(...countedDimensions),
      values,
      fc.constantFrom(5, 15),
      (by, of, count) => {
        const entries = rank(by, of, count);
        const sum = (numbers: readonly number[]) =>
          numbers.reduce((all, number) => all + number, 0);
        expect(sum(entries.map(({ downloads }) => downloads))).toBe(sum(Object.values(of)));
        expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
        const ranked = entries.filter(({ key }) => key !== 'other');
        expect(ranked.length).toBeLessThanOrEqual(count);
        for (const [index, { downloads }] of ranked.entries()) {
          expect(downloads).toBeLessThanOrEqual(ranked[index - 1]?.downloads ?? Infinity);
        }
        if (ranked.length < entries.length) expect(entries.at(-1)?.key).toBe('other');
      },
    ),
  );
});
