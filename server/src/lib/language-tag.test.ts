import { expect, it } from 'vitest';
import { isLanguageTag } from './language-tag.ts';

it.each(['en', 'de-AT', 'yue', 'zh-Hant-TW', 'EN'])('%s is a language tag', (tag) => {
  expect(isLanguageTag(tag)).toBe(true);
});

it.each(['', 'deutsch', 'english', 'xx-', 'not a language', 'en_US', 'd'])(
  'refuses "%s"',
  (tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  },
);
