/**
 * The languages of the app, of pages without scripts and of emails, by their own names. English is the
 * language of the source.
 */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  ar: 'العربية',
} as const;
export type Language = keyof typeof languages;

export const languageIds = Object.keys(languages) as readonly Language[];

/** `de` for `de` and `de-AT`; undefined for languages that the app does not have. */
export function findLanguage(tag: string): Language | undefined {
  const base = tag.split('-', 1)[0]?.toLowerCase() ?? '';
  return languageIds.find((language) => language === base);
}

export function isRightToLeft(language: Language): boolean {
  return language === 'ar';
}
