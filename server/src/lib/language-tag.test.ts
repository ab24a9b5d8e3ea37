import { expect, it } from 'vitest';
import { isLanguageTag } from './language-tag.ts';

it.each(['en', 'de-AT', 'yue', 'zh-Hant-TW', 'EN', `en-x-${'abcdefgh-'.repeat(3)}abc`])(
  '%s is a language tag',
  (tag) => {
    expect(isLanguageTag(tag)).toBe(true);
  },
);

const long = `en-x-${'abcdefgh-'.repeat(3)}abcd`;
it.each(['', 'deutsch', 'english', 'xx-', 'not a language', 'en_US', 'd', long])(
  'refuses "%s"',
  (tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  },
);
