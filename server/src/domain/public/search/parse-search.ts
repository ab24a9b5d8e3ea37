import { findWords } from './words.ts';

/** What a search is for. All of its terms have to match. */
export interface Search {
  /** As it was entered, on one line, for people. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/** Words that follow each other. */
export interface Term {
  readonly words: readonly string[];
  /** The last word may continue: somebody is still typing. */
  readonly isOpen: boolean;
}

/** Of a search; the rest is ignored. */
export const maxSearchChars = 200;
const maxTerms = 10;
const maxPhraseWords = 20;
/** Thousands of words begin with one letter of an alphabet. */
const shortestOpen = 2;

const quotes = /["“”„‟«»「」『』]/;
const isIdeograph = /^[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{N}]/u;

/** Reads what somebody has entered; anything is a search, though perhaps without terms. */
export function parseSearch(input: string): Search {
  const cut = input.slice(0, maxSearchChars).toWellFormed().replaceAll('\ufffd', ' ');
  const terms: Term[] = [];
  const parts = cut.split(quotes);
  for (const [at, part] of parts.entries()) {
    const isQuoted = at % 2 === 1;
    const isLast = at === parts.length - 1;
    const isOpen = isLast && /[\p{L}\p{N}\p{M}]$/u.test(part);
    const found = isQuoted ? [wordsOf(part)] : separate(part);
    const last = found.length - 1;
    terms.push(
      ...found.map((words, n) => ({ words, isOpen: isOpen && n === last && canOpen(words) })),
    );
  }
  const text = cut.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]));
  return {
    text,
    terms: [...distinct.values()].filter(({ words }) => words.length > 0).slice(0, maxTerms),
  };
}

const wordsOf = (text: string) =>
  Array.from(findWords(text), ({ word }) => word).slice(0, maxPhraseWords);

/** Each word is a term of its own, except where no space separates them. */
function separate(text: string): string[][] {
  const terms: string[][] = [];
  for (const { word, continues } of findWords(text)) {
    const last = terms.at(-1);
    if (continues && last !== undefined && last.length < maxPhraseWords) last.push(word);
    else terms.push([word]);
  }
  return terms;
}

function canOpen(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  return last.length >= shortestOpen || isIdeograph.test(last);
}

/** What a dictionary knows of a word. No stems: the language has it in every sentence. */
export type Stems = ReadonlyMap<string, readonly string[]>;

/** A search in terms of the index. */
export interface IndexQuery {
  /** For `@@`: all words. */
  readonly all: string;
  /** For `@@`: the same, where words follow each other. Undefined: none have to. */
  readonly phrases: string | undefined;
  /** A word matches if its stem is one of these, */
  readonly stems: readonly string[];
  /** or if it begins like this. */
  readonly beginning: string | undefined;
}

/** Undefined: nothing can match. Words of every sentence count only if there are no others. */
export function toIndexQuery(
  { terms }: Search,
  stems: Stems,
  prefix: string,
): IndexQuery | undefined {
  const isCommon = ({ words }: Term) =>
    words.length === 1 && stems.get(words[0] ?? '')?.length === 0;
  const telling = terms.filter((term) => !isCommon(term));
  const used = telling.length > 0 ? telling : terms;
  if (used.length === 0) return undefined;
  const stemsOf = (word: string) => {
    const known = stems.get(word) ?? [];
    return known.length > 0 ? known : [word];
  };
  const lexeme = (word: string) => `'${prefix}${word}'`;
  const write = ({ words, isOpen }: Term, between: '<->' | '&') =>
    words
      .map((word, at) => {
        const begun = isOpen && at === words.length - 1 ? [`${lexeme(word)}:*`] : [];
        return `(${[...stemsOf(word).map(lexeme), ...begun].join(' | ')})`;
      })
      .join(` ${between} `);
  const writeAll = (between: '<->' | '&') =>
    used.map((term) => `(${write(term, between)})`).join(' & ');
  const open = used.find(({ isOpen }) => isOpen);
  return {
    all: writeAll('&'),
    phrases: used.some(({ words }) => words.length > 1) ? writeAll('<->') : undefined,
    stems: [...new Set(used.flatMap(({ words }) => words.flatMap(stemsOf)))],
    beginning: open?.words.at(-1),
  };
}
