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

const rightToLeftLetter =
  /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Thaa}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}\p{sc=Mand}]/u;
const leftToRightLetter =
  /[\p{L}--[\p{sc=Arab}\p{sc=Hebr}\p{sc=Thaa}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}\p{sc=Mand}]]/v;

/** Whether a text has a letter that would reorder the words around it. */
export function isForeignTo(direction: 'ltr' | 'rtl', text: string): boolean {
  return (direction === 'rtl' ? leftToRightLetter : rightToLeftLetter).test(text);
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
