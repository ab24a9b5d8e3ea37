/** RFC 5646, section 4.4.1: every tag of the registry is shorter. */
export const maxLanguageChars = 35;

/**
 * Whether this is a BCP 47 tag that begins with a two- or three-letter code. Longer words are
 * well-formed too ("deutsch"), but reserved; no app knows them.
 */
export function isLanguageTag(text: string): boolean {
  if (text.length > maxLanguageChars || !/^[A-Za-z]{2,3}(?:-|$)/.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
