import letters from '../../../lib/transliteration.json' with { type: 'json' };

/** A word of a text, as searches compare it. */
export interface Token {
  /** Without case and accents. */
  readonly word: string;
  /** Where it is in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Nothing separates it from the one before: scripts without spaces are divided by a dictionary. */
  readonly continues: boolean;
}

/** Longer ones are cut: nobody searches for them. */
const longestWord = 40;
/** How much of a run without spaces is divided at once. */
const longestRun = 2_000;

/** Joiners are inside of Persian and Indic words. */
const run = /[\p{L}\p{N}\p{M}\u200c\u200d]+/gu;
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** The locale has no effect on these scripts. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text, in order. Linear. */
export function* findWords(text: string): Generator<Token> {
  for (const { 0: found, index } of text.matchAll(run)) {
    if (unspaced.test(found)) {
      yield* divide(found, index);
      continue;
    }
    const word = foldWord(found);
    if (word !== '') yield { word, start: index, end: index + found.length, continues: false };
  }
}

function* divide(text: string, offset: number): Generator<Token> {
  let continues = false;
  for (let from = 0; from < text.length; from += longestRun) {
    for (const { segment, index } of segmenter.segment(text.slice(from, from + longestRun))) {
      const word = foldWord(segment);
      if (word === '') continue;
      const start = offset + from + index;
      yield { word, start, end: start + segment.length, continues };
      continues = true;
    }
  }
}

const isLatin = /^\p{sc=Latin}$/u;
/** `ß` is `ss`; letters with accents are taken apart. */
const latin = new Map(Object.entries(letters).filter(([letter]) => isLatin.test(letter)));
/** Elsewhere, such as in Thai and Hindi, marks are vowels. */
const accented = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}])\p{M}+/gu;
const notLetters = /[^\p{L}\p{N}\p{M}]|\u0640/gu;

/** Lower case without accents, vowel points and joiners; at most 40 characters. */
function foldWord(text: string): string {
  const short = text.length > longestWord * 4 ? text.slice(0, longestWord * 4) : text;
  if (/^[A-Za-z0-9]+$/.test(short)) return short.slice(0, longestWord).toLowerCase();
  const plain = short
    .normalize('NFKD')
    .toLowerCase()
    .replace(accented, '$1')
    .normalize('NFC')
    .replaceAll('ё', 'е')
    .replace(notLetters, '');
  const folded = Array.from(plain, (letter) => latin.get(letter) ?? letter);
  return folded.slice(0, longestWord).join('');
}

/** Snowball's dictionaries in PostgreSQL 15 and later, by the language that they are for. */
const dictionaries: Readonly<Record<string, string>> = {
  ar: 'arabic_stem',
  ca: 'catalan_stem',
  da: 'danish_stem',
  de: 'german_stem',
  el: 'greek_stem',
  en: 'english_stem',
  es: 'spanish_stem',
  eu: 'basque_stem',
  fi: 'finnish_stem',
  fr: 'french_stem',
  ga: 'irish_stem',
  hi: 'hindi_stem',
  hu: 'hungarian_stem',
  hy: 'armenian_stem',
  id: 'indonesian_stem',
  it: 'italian_stem',
  lt: 'lithuanian_stem',
  nb: 'norwegian_stem',
  ne: 'nepali_stem',
  nl: 'dutch_stem',
  nn: 'norwegian_stem',
  no: 'norwegian_stem',
  pt: 'portuguese_stem',
  ro: 'romanian_stem',
  ru: 'russian_stem',
  sr: 'serbian_stem',
  sv: 'swedish_stem',
  ta: 'tamil_stem',
  tr: 'turkish_stem',
  yi: 'yiddish_stem',
};

/** The dictionary that finds the stems of words in this language; `simple` finds none. */
export function dictionaryOf(language: string): string {
  return dictionaries[language.split('-', 1)[0]?.toLowerCase() ?? ''] ?? 'simple';
}

/**
 * What the words of a show begin with in the index. It has 30 bits of the random part of the show's id; two
 * shows may have the same, so searches compare the id, too.
 */
export function prefixOf(podcastId: string): string {
  return Buffer.from(podcastId.replaceAll('-', '').slice(-8), 'hex')
    .toString('base64url')
    .slice(0, 5);
}
