import { expect, it } from 'vitest';
import { tryParseLanguage } from './language.ts';

it.each([
  ['en', 'en'],
  ['EN_us', 'en-US'],
  ['US-en', 'en-US'],
  ['EN-us', 'en-US'],
  ['DE-de', 'de-DE'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['English, mostly', undefined],
  ['', undefined],
  [undefined, undefined],
  [`en-x-${'a'.repeat(8)}-${'b'.repeat(8)}-${'c'.repeat(8)}-${'d'.repeat(8)}`, undefined],
])('%s is the language %s', (text, language) => {
  expect(tryParseLanguage(text)).toBe(language);
});
