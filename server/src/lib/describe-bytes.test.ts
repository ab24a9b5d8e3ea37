import { expect, it } from 'vitest';
import { describeBytes } from './describe-bytes.ts';

it.each([
  [4_970_000_000, 'en', '4.97 GB'],
  [500_000_000, 'en', '500 MB'],
  [0, 'en', '0 MB'],
  [4_970_000_000, 'de', '4,97 GB'],
  [1_500_000, 'fr', '1,5 Mo'],
] as const)('%d bytes in %s: %s', (bytes, language, text) => {
  expect(describeBytes(bytes, language).replaceAll(/\s/g, ' ')).toBe(text);
});
