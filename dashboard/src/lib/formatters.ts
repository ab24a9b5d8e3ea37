import { i18n } from '@lingui/core';
import type { Language } from '../../../server/src/lib/languages.ts';
import { formattingLocale } from '../words/locales.ts';

/** The reader's own format. */
export const locale = () => formattingLocale(i18n.locale as Language);

// Making a formatter takes a hundred times as long as using it, and lists use it in every row.
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return find(numberFormats, options, () => new Intl.NumberFormat(locale(), options));
}

/** Every date has a zone: a caller without one would use the reader's without knowing. */
type DateOptions = Intl.DateTimeFormatOptions & { readonly timeZone: string };

export function dateFormat(options: DateOptions): Intl.DateTimeFormat {
  return find(dateFormats, options, () => new Intl.DateTimeFormat(locale(), options));
}

function find<T>(formats: Map<string, T>, options: object, make: () => T): T {
  const key = locale() + JSON.stringify(options);
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}
