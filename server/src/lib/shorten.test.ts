import { describe, expect, it } from 'vitest';
import { shorten } from './shorten.ts';

describe('shorten', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['one two three four', 17, 'one two three…'],
    ['Donaudampfschifffahrt', 10, 'Donaudamp…'],
    ['abcd😀😀', 6, 'abcd…'],
  ])('%s to %i', (text, length, expected) => {
    expect(shorten(text, length)).toBe(expected);
    expect(shorten(text, length).length).toBeLessThanOrEqual(length);
  });
});
