import { isLanguageTag, maxLanguageChars } from './language-tag.ts';

/**
 * The tag in canonical spelling; `en_us` is common in feeds, and `US-en` occurs. Undefined if it is
 * not a language.
 */
export function tryParseLanguage(text: string | undefined): string | undefined {
  const tag = text?.replaceAll('_', '-').replace(/^([A-Z]{2})-([a-z]{2})$/, inOrder);
  if (tag === undefined || !isLanguageTag(tag)) return undefined;
  const [language] = Intl.getCanonicalLocales(tag);
  return language !== undefined && language.length <= maxLanguageChars ? language : undefined;
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** `US-en` is `en-US`, because `us` is not a language; `EN-us` is in order. */
function inOrder(tag: string, first: string, second: string): string {
  const isSwapped = languages.of(first) === undefined && languages.of(second) !== undefined;
  return isSwapped ? `${second}-${first}` : tag;
}
