import { expect, it } from 'vitest';
import { preferredAppLanguage, preferredLanguage } from './preferred-language.ts';

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

it.each([
  [undefined, 'en'],
  ['nl, ru;q=0.9', 'en'],
  ['nl, de-AT;q=0.9', 'de'],
  ['AR-eg', 'ar'],
  ['constructor, __proto__', 'en'],
  ['fr-'.repeat(100_000), 'fr'],
  [`${'x,'.repeat(100_000)}de`, 'en'],
])('the language of the app for %.40j: %s', (header, language) => {
  expect(preferredAppLanguage(header)).toBe(language);
});
