import { isLanguageTag } from './language-tag.ts';

/** The longest accepted tag (RFC 5646, section 4.4.1). */
const maxLength = 35;

/** The tag in canonical spelling; `en_us` is common in feeds. Undefined if it is not a language. */
export function tryParseLanguage(text: string | undefined): string | undefined {
  const tag = text?.replaceAll('_', '-');
  if (tag === undefined || !isLanguageTag(tag)) return undefined;
  const [language] = Intl.getCanonicalLocales(tag);
  return language !== undefined && language.length <= maxLength ? language : undefined;
}
