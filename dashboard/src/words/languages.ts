/** The languages of the app, by their own names. English is the language of the source. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  ar: 'العربية',
} as const;
export type Locale = keyof typeof languages;
