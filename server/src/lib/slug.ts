import { randomInt } from 'node:crypto';
import { maxChars } from './limits.ts';
import table from './transliteration.json' with { type: 'json' };
import { isUuid } from './uuid.ts';

/** Only this much of a title is used. */
const MAX_TEXT_CHARS = 1000;
/** The source of a regular expression, without anchors, as `uuidPattern`. */
export const slugPattern = '[a-z0-9]+(?:-[a-z0-9]+)*';
const GRAMMAR = new RegExp(`^${slugPattern}$`);
const LETTERS = new Map(Object.entries(table));

/** Checks REQ-2: 1 to 100 characters, neither a UUID nor `latest`. */
export function isSlug(text: string): boolean {
  return text.length <= maxChars.slug && GRAMMAR.test(text) && !isReserved(text);
}

/**
 * Makes a slug from a title in any script that can be transliterated to ASCII (Latin, Cyrillic,
 * Greek), cut at the end of a word if that keeps half of it; undefined if nothing is left.
 */
export function slugify(text: string): string | undefined {
  const words = toAscii(text.slice(0, MAX_TEXT_CHARS))
    .replace(/['’ʼ]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-');
  if (words === '') return undefined;
  const slug = cutAtWord(words, maxChars.slug);
  return isReserved(slug) ? disambiguateSlug(slug, 1) : slug;
}

/** Adds a number to a slug that is taken: `slug-2`, within 100 characters. */
export function disambiguateSlug(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutAtWord(slug, maxChars.slug - suffix.length) + suffix;
}

/** How many numbers are tried, and then how many random ones. */
const mostTries = 20;

/**
 * The slug, then the same with numbers, and finally with random numbers, because a show may call each of
 * its episodes "News", and trying all numbers would take longer each time.
 */
export function* proposeSlugs(slug: string): Generator<string> {
  yield slug;
  for (let number = 2; number <= mostTries; number += 1) yield disambiguateSlug(slug, number);
  for (let tries = 0; tries < mostTries; tries += 1) {
    yield disambiguateSlug(slug, randomInt(1_000, 1_000_000));
  }
}

function isReserved(text: string): boolean {
  return text === 'latest' || isUuid(text);
}

/** Lower case. Characters without an ASCII form stay and separate words. */
function toAscii(text: string): string {
  const letters = text.normalize('NFKC').toLowerCase().normalize('NFC');
  return Array.from(letters, toAsciiLetter).join('');
}

/** Composed letters are looked up before their marks are removed: `й` is not `и`. */
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

/** That a show or an episode can have had. They are kept for ever, and settings list them. */
export const mostSlugs = 200;
