import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesWildcard, parseWildcard } from './wildcard.ts';
import { WildcardIndex } from './wildcard-index.ts';

const matches = (pattern: string, text: string) => matchesWildcard(parseWildcard(pattern), text);

describe('a wildcard pattern', () => {
  it.each([
    ['Zeno', 'Zeno', true],
    ['Zeno', 'Zeno/1', false],
    ['Zeno', 'xZeno', false],
    ['Castro*', 'Castro', true],
    ['Castro*', 'Castro 2021', true],
    ['Castro*', 'castro', false],
    ['*PodKast', 'KAIOS/2 PodKast', true],
    ['*PodKast', 'PodKast 2', false],
    ['*Android*Chrome/*', 'Mozilla (Linux; Android 9) Chrome/1', true],
    ['*Android*Chrome/*', 'Chrome/1 Android', false],
    ['*aa*aa*', 'aaa', false],
    ['*aa*aa*', 'aaaa', true],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['*', '', true],
  ])('%s on "%s": %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
});

describe('an index of patterns', () => {
  it('finds the same as trying one pattern after the other', () => {
    const letters = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'Ä'), minLength, maxLength });
    const patterns = fc
      .array(fc.oneof(letters(2, 4), fc.constant('*')), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''))
      .filter((pattern) => pattern.split('*').some((part) => part.length > 1));
    fc.assert(
      fc.property(fc.array(patterns, { maxLength: 8 }), letters(0, 12), (all, text) => {
        expect(new WildcardIndex(all).find(text)).toBe(all.findIndex((p) => matches(p, text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses a pattern that has nothing to search for', () => {
    expect(() => new WildcardIndex(['*a*'])).toThrow('has no part of two characters');
  });
});
