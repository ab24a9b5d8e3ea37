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

/** Which way a language is written, told by its script: `az-Arab` and `fa` from the right. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const script = tryParseLocale(language)?.maximize().script ?? '';
  return rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
}

/** For `Intl`: the language, or English for one it cannot read. */
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
