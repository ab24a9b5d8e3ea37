const rightToLeftScripts = new Set([
  'Arab',
  'Hebr',
  'Thaa',
  'Syrc',
  'Nkoo',
  'Adlm',
  'Rohg',
  'Mand',
]);

/** The direction of a language's script: `az-Arab` and `fa` are right-to-left. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const script = tryParseLocale(language)?.maximize().script ?? '';
  return rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
}

/** A locale for `Intl`; English if the language is invalid. */
export function localeOf(language: string): string {
  return tryParseLocale(language) === undefined ? 'en' : language;
}

/** `de` of `de-AT`. */
export function baseLanguageOf(language: string): string {
  return tryParseLocale(language)?.language ?? 'en';
}

function tryParseLocale(language: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(language);
  } catch {
    return undefined;
  }
}
