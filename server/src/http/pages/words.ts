import { escapeHtml } from '../../lib/escape.ts';
import { podcastTaxonomy } from '../../lib/podcast-taxonomy.ts';
import { Html, html } from '../responses/html.ts';
import { baseLanguageOf, directionOf, isForeignTo } from './page-language.ts';
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
type Values<Element = never> = Readonly<Record<string, string | number | Element>>;

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

const roles: ReadonlySet<string> = new Set(Object.values(podcastTaxonomy).flat());

/** The texts of the pages in the language of a show, or in English if it is not supported. */
export interface Words {
  /** Whether the texts are in the requested language. */
  readonly isSpoken: boolean;
  /** Plain text, for attributes. Names in scripts of the other direction keep to themselves. */
  text(word: Word, values?: Values): string;
  /** The same for elements; marks English text on a page in another language. */
  html(word: Word, values?: Values<Html>): Html;
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
  const direction = directionOf(known ? base : 'en');
  const mark = (text: Html) => (known ? text : html`<span lang="en" dir="ltr">${text}</span>`);
  const fill = <Element>(
    word: Word,
    values: Values<Element>,
    write: (value: string | Element) => string,
  ) =>
    words[word].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return write(typeof value === 'number' ? String(value) : value);
    });
  const isolate = (value: string) =>
    isForeignTo(direction, value) ? `\u2068${value}\u2069` : value;
  const isolateHtml = (value: string | Html) => {
    if (value instanceof Html) return `<bdi>${value.text}</bdi>`;
    const text = escapeHtml(value);
    return isForeignTo(direction, value) ? `<bdi>${text}</bdi>` : text;
  };
  return {
    isSpoken: known,
    text: (word, values = {}) => fill(word, values, isolate),
    // The texts themselves have no markup, which a test checks.
    html: (word, values = {}) => mark(new Html(fill(word, values, isolateHtml))),
    role: (name) => (isRole(name) ? mark(html`${words[name]}`) : html`${capitalize(name)}`),
  };
}

function isRole(name: string): name is Word {
  return roles.has(name);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
