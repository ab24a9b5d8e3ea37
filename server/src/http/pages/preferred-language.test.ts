import { expect, it } from 'vitest';
import { preferredLanguage } from './preferred-language.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  ['fi, sv;q=0.9, fr;q=0.4', 'fr'],
  ['en;q=0.5, ja;q=0.7', 'ja'],
  ['de;q=0, es', 'es'],
  ['constructor, <b>, a;q=b', 'en'],
  [`${'x,'.repeat(100_000)}de`, 'en'],
])('%j: %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
