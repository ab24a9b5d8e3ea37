import { fillMessage } from '../../../lib/fill-message.ts';
import type { Language } from '../../../lib/languages.ts';
import type { SaidMessage } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { translate } from './translate.ts';

/** What the domain says, in a language; undefined if the catalogs do not have it. */
export function translateSaid(
  { message, messageKey = '', values = {} }: SaidMessage,
  language: Language,
): string | undefined {
  if (language === 'en') return message;
  const english: Readonly<Record<string, string>> = refusals;
  const isKnown = Object.hasOwn(english, messageKey);
  const translation = translate(isKnown ? (english[messageKey] ?? '') : message, language);
  if (translation === undefined || !isKnown) return translation;
  return fillMessage(translation, language, {
    value: (name) => String(values[name]),
    number: (name) => Number(values[name]),
  });
}
