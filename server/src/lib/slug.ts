import table from './transliteration.json' with { type: 'json' };
import { isUuid } from './uuid.ts';

const MAX_SLUG_CHARS = 100;
/** What a slug is made of: the beginning of a title says enough. */
const MAX_TEXT_CHARS = 1000;
const GRAMMAR = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LETTERS = new Map(Object.entries(table));

/** The grammar of decisions.md §2: 1 to 100 characters, neither of a UUID's form nor `latest`. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_CHARS && GRAMMAR.test(text) && !isReserved(text);
}

/**
 * A slug from a title in any script that can be written in ASCII (Latin, Cyrillic, Greek), cut at a
 * word's end where that keeps half of it; undefined when nothing is left.
 */
export function slugify(text: string): string | undefined {
  const words = toAscii(text.slice(0, MAX_TEXT_CHARS))
    .replace(/['’ʼ]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-');
  if (words === '') return undefined;
  const slug = cutAtWord(words, MAX_SLUG_CHARS);
  return isReserved(slug) ? disambiguateSlug(slug, 1) : slug;
}

/** The slug with a number behind it, for when it is taken: `slug-2`, within the 100 characters. */
export function disambiguateSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutAtWord(slug, MAX_SLUG_CHARS - suffix.length) + suffix;
}

function isReserved(text: string): boolean {
  return text === 'latest' || isUuid(text);
}

/** Lower case; what has no ASCII form stays, and parts words. */
function toAscii(text: string): string {
  const letters = text.normalize('NFKC').toLowerCase().normalize('NFC');
  return Array.from(letters, toAsciiLetter).join('');
}

/** A composed letter is looked up before its marks are dropped: `й` is no `и`. */
function toAsciiLetter(letter: string): string {
  if (letter <= '\x7f') return letter;
  const base = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return LETTERS.get(letter) ?? LETTERS.get(base) ?? base;
}

function cutAtWord(words: string, maxChars: number): string {
  if (words.length <= maxChars) return words;
  const end = words.lastIndexOf('-', maxChars);
  return words.slice(0, end >= maxChars / 2 ? end : maxChars).replace(/-$/, '');
}
