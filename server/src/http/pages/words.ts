import { type Html, html } from '../html.ts';
import { baseLanguageOf } from './language.ts';
import ar from './words/ar.json' with { type: 'json' };
import de from './words/de.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import he from './words/he.json' with { type: 'json' };
import it from './words/it.json' with { type: 'json' };
import nl from './words/nl.json' with { type: 'json' };
import pt from './words/pt.json' with { type: 'json' };

type Word = keyof typeof en;
type Values = Readonly<Record<string, string | number>>;

/** Every language has every word: the compiler says so. */
const languages: Readonly<Record<string, Readonly<Record<Word, string>>>> = {
  ar,
  de,
  en,
  es,
  fr,
  he,
  it,
  nl,
  pt,
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

/** The pages' own words, in the language of a show, or in English where we do not speak it. */
export interface Words {
  /** For an attribute: text alone. */
  text(word: Word, values?: Values): string;
  /** For an element: says that it is English, where the page around it is not. */
  html(word: Word, values?: Values): Html;
  /** A role of the Podcasting 2.0 taxonomy. */
  role(name: string): Html;
}

export function wordsIn(language: string): Words {
  const base = baseLanguageOf(language);
  const words = languages[base] ?? en;
  const foreign = words === en && base !== 'en';
  const mark = (text: string) =>
    foreign ? html`<span lang="en" dir="ltr">${text}</span>` : html`${text}`;
  const fill = (word: Word, values: Values = {}) =>
    words[word].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
  return {
    text: fill,
    html: (word, values) => mark(fill(word, values)),
    role: (name) => (isRole(name) ? mark(words[name]) : html`${capitalise(name)}`),
  };
}

function isRole(name: string): name is Word {
  return roles.includes(name);
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
