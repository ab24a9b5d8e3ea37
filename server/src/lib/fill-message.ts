import type { Language } from './languages.ts';

/** How the parts of a message are written. */
interface Notation {
  /** The text of a value of the message. */
  readonly value: (name: string) => string;
  /** The number that a message counts or formats. */
  readonly number: (name: string) => number;
  /** What stands between the values; default: as it is. */
  readonly text?: (text: string) => string;
}

const gap = /\{(\w+)(?:, (number)|, plural, ((?:=?\w+ \{[^{}]*\} ?)+))?\}/g;
const form = /(?<![\w=])=?\w+ \{[^{}]*\}/g;

/**
 * Inserts values into a message in the notation of the app's catalogs: `{name}`, `{max, number}`,
 * `{count, plural, one {# show} other {# shows}}`. Forms of a plural contain no other values.
 */
export function fillMessage(message: string, language: Language, notation: Notation): string {
  const { value, number, text = (written) => written } = notation;
  const format = (name: string) => number(name).toLocaleString(language);
  let filled = '';
  let end = 0;
  for (const { 0: whole, 1: name = '', 2: isNumber, 3: forms, index } of message.matchAll(gap)) {
    filled += text(message.slice(end, index));
    if (forms !== undefined) {
      const chosen = choosePlural(forms, language, number(name));
      filled += text(chosen.replaceAll('#', format(name)));
    } else {
      filled += isNumber === undefined ? value(name) : format(name);
    }
    end = index + whole.length;
  }
  return filled + text(message.slice(end));
}

function choosePlural(forms: string, language: Language, count: number): string {
  const texts = new Map<string, string>();
  for (const [written] of forms.matchAll(form)) {
    const space = written.indexOf(' ');
    texts.set(written.slice(0, space), written.slice(space + 2, -1));
  }
  const category = new Intl.PluralRules(language).select(count);
  return texts.get(`=${count}`) ?? texts.get(category) ?? texts.get('other') ?? '';
}
