import { i18n, type Messages } from '@lingui/core';
import { findLanguage, isRightToLeft, type Language } from '../../../server/src/lib/languages.ts';

const storageKey = 'podstead:language';
const catalogs = import.meta.glob<{ messages: Messages }>('./{de,es,fr,ja,ar}.po');

/** What the person chose in this browser or in another, else the first of its languages that the app has. */
function preferredLanguage(): Language {
  const page = document.querySelector<HTMLMetaElement>('meta[name="podstead-language"]');
  for (const tag of [localStorage.getItem(storageKey), page?.content, ...navigator.languages]) {
    const language = findLanguage(tag ?? '');
    if (language !== undefined) return language;
  }
  return 'en';
}

/** Dates and numbers follow the browser's region where it speaks the language of the app. */
export function formattingLocale(language: Language): string {
  return navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language;
}

export async function loadLanguage(language = preferredLanguage()): Promise<void> {
  const catalog = await catalogs[`./${language}.po`]?.();
  // Counts within sentences have the digits of the region, as all other numbers have.
  const locales = formattingLocale(language);
  i18n.loadAndActivate({ locale: language, locales, messages: catalog?.messages ?? {} });
  document.documentElement.lang = language;
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr';
}

/** Loads a language, also the next time. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  await loadLanguage(language);
}
