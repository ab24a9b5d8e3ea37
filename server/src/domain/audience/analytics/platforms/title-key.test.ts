import { expect, it } from 'vitest';
import { titleKey } from './title-key.ts';

/** One character, which NFKC replaces by 18. */
const grows = '\uFDFA';

it('a title key has the same length for every title', () => {
  const lengths = ['', 'a', 'a'.repeat(500), grows.repeat(500)].map(
    (text) => titleKey(text).length,
  );
  expect(new Set(lengths).size).toBe(1);
});

it('reads the first 500 characters of a title', () => {
  const begin = 'a'.repeat(499);
  expect(titleKey(`${begin}bc`)).toBe(titleKey(`${begin}bd`));
  expect(titleKey(`${begin}b`)).not.toBe(titleKey(`${begin}c`));
});

it('reads the first 500 characters of a title that normalization makes longer', () => {
  expect(titleKey(`${grows.repeat(28)}a`)).toBe(titleKey(`${grows.repeat(28)}b`));
  expect(titleKey(`${grows.repeat(27)}a`)).not.toBe(titleKey(`${grows.repeat(27)}b`));
});

it('reads no more than 500 characters of a title that normalization makes shorter', () => {
  const shrinks = 'e\u0301'.repeat(250);
  expect(titleKey(`${shrinks}a`)).toBe(titleKey(`${shrinks}b`));
});
