import { type Html, html } from '../responses/html.ts';
import { baseLanguageOf } from './page-language.ts';
import ar from './words/ar.json' with { type: 'json' };
import de from './words/de.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import he from './words/he.json' with { type: 'json' };
import it from './words/it.json' with { type: 'json' };
import ja from './words/ja.json' with { type: 'json' };
import nl from './words/nl.json' with { type: 'json' };
import pt from './words/pt.json' with { type: 'json' };
import ru from './words/ru.json' with { type: 'json' };

export type Word = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;

/** The compiler checks that every language has every text. */
const languages: Readonly<Record<string, Readonly<Record<Word, string>>>> = {
  ar,
  de,
  en,
  es,
  fr,
  he,
  it,
  ja,
  nl,
  pt,
  ru,
};

const roles: readonly string[] = [
  'host',
  'co-host',
  'guest host',
  'guest',
  'producer',
  'editor',
  'author',
] satisfies Word[];

/** The texts of the pages in the language of a show, or in English if it is not supported. */
export interface Words {
  /** Whether the texts are in the requested language. */
  readonly isSpoken: boolean;
  /** Plain text, for attributes. */
  text(word: Word, values?: Values): string;
  /** For elements; marks English text on a page in another language. */
  html(word: Word, values?: Values): Html;
  /** A role of the Podcasting 2.0 taxonomy. */
  role(name: string): Html;
}

/** Whether the pages support this language, in any region. */
export function isSpoken(language: string): boolean {
  return Object.hasOwn(languages, baseLanguageOf(language));
}

export function wordsIn(language: string): Words {
  const base = baseLanguageOf(language);
  const known = isSpoken(language);
  const words = (known && languages[base]) || en;
  const mark = (text: string) =>
    known ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`;
  const fill = (word: Word, values: Values = {}) =>
    words[word].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  return {
    isSpoken: known,
    text: fill,
    html: (word, values) => mark(fill(word, values)),
    role: (name) => (isRole(name) ? mark(words[name]) : html`${capitalize(name)}`),
  };
}

function isRole(name: string): name is Word {
  return roles.includes(name);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
