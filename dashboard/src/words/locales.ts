import { i18n, type Messages } from '@lingui/core';
import { type Locale, languages } from './languages.ts';

const storageKey = 'podstead:language';
const catalogs = import.meta.glob<{ messages: Messages }>('./{de,es,fr,ja,ar}.po');

/** What the person chose in this browser, else the first language of the browser that the app has. */
function preferredLocale(): Locale {
  const chosen = localStorage.getItem(storageKey);
  const wanted = [...(chosen === null ? [] : [chosen]), ...navigator.languages];
  for (const tag of wanted) {
    const language = tag.split('-', 1)[0] ?? '';
    if (isLocale(language)) return language;
  }
  return 'en';
}

/** Dates and numbers follow the browser's region where it speaks the language of the app. */
export function formattingLocale(locale: Locale): string {
  return navigator.languages.find((tag) => tag.split('-', 1)[0] === locale) ?? locale;
}

export async function loadLanguage(locale = preferredLocale()): Promise<void> {
  const catalog = await catalogs[`./${locale}.po`]?.();
  // Counts within sentences have the digits of the region, as all other numbers have.
  const locales = formattingLocale(locale);
  i18n.loadAndActivate({ locale, locales, messages: catalog?.messages ?? {} });
  document.documentElement.lang = locale;
  document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr';
}

export async function chooseLanguage(locale: Locale): Promise<void> {
  localStorage.setItem(storageKey, locale);
  await loadLanguage(locale);
}

function isLocale(language: string): language is Locale {
  return Object.hasOwn(languages, language);
}
