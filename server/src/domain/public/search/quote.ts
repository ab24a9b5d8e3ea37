import type { FoundPlace } from './search-episodes.sql.ts';
import { findWords } from './words.ts';

/** The part of a text that a search result shows. */
export interface Extract {
  readonly start: number;
  readonly end: number;
  /** Whether the sentence begins before, and continues. */
  readonly isCut: { readonly before: boolean; readonly after: boolean };
}

const mostBefore = 110;
const mostAfter = 170;
const sentenceEnd = /[.!?…؟]["'”’»)\]]*\s+|[。！？]["'”’»)\]」』]*\s*|\n+/g;

/** The sentence around a place, shortened if it is long. Never begins before `low`. */
export function extractSentence(text: string, at: number, low = 0): Extract {
  const earliest = Math.max(low, at - mostBefore);
  const latest = Math.min(text.length, at + mostAfter);
  const before = [...text.slice(earliest, at).matchAll(sentenceEnd)].at(-1);
  const begins = before !== undefined || earliest === low;
  const start =
    before === undefined
      ? atSpace(text, earliest, at, begins)
      : earliest + before.index + before[0].length;
  const [after] = text.slice(at, latest).matchAll(sentenceEnd);
  const ends = after !== undefined || latest === text.length;
  const end =
    after === undefined ? lastSpace(text, at, latest, ends) : at + after.index + after[0].length;
  return { start, end, isCut: { before: !begins, after: !ends } };
}

/** The next place after a space, before `limit`. Never inside a surrogate pair. */
function atSpace(text: string, from: number, limit: number, isFree: boolean): number {
  if (isFree) return from;
  const space = text.indexOf(' ', from);
  if (space >= 0 && space < limit) return space + 1;
  return isSecondHalf(text, from) ? from + 1 : from;
}

function lastSpace(text: string, at: number, to: number, isFree: boolean): number {
  if (isFree) return to;
  const space = text.lastIndexOf(' ', to);
  if (space > at) return space;
  return isSecondHalf(text, to) ? to - 1 : to;
}

const isSecondHalf = (text: string, at: number) => /^[\udc00-\udfff]/.test(text.charAt(at));

/** Words that are so close to each other belong together. */
const closeWords = 12;

/**
 * The position, in words, where most of what was searched for is close together, and then where it is closest.
 * Undefined: nothing is at or after `from`.
 */
export function chooseWord({ matches }: FoundPlace, from = 1): number | undefined {
  const places = matches
    .flatMap((positions, of) => positions.map((position) => ({ position, of })))
    .filter(({ position }) => position >= from)
    .sort((a, b) => a.position - b.position);
  let best: { position: number; count: number; span: number } | undefined;
  for (const [index, { position }] of places.entries()) {
    const seen = new Set<number>();
    let span = 0;
    for (let next = index; next < places.length; next += 1) {
      const place = places[next];
      if (place === undefined || place.position - position > closeWords) break;
      if (seen.has(place.of)) continue;
      seen.add(place.of);
      span = place.position - position;
    }
    const { count = 0, span: least = 0 } = best ?? {};
    if (seen.size > count || (seen.size === count && span < least))
      best = { position, count: seen.size, span };
  }
  return best?.position;
}

/** Where the nth word of a text is, from 0; undefined if it has fewer. */
export function findNthWord(text: string, n: number): number | undefined {
  let count = 0;
  for (const { start } of findWords(text)) {
    if (count === n) return start;
    count += 1;
  }
  return undefined;
}

/** A text in pieces, of which some match. */
export type MarkedText = readonly { readonly text: string; readonly isMatch: boolean }[];

export function markWords(text: string, isMatch: (word: string) => boolean): MarkedText {
  const pieces: { text: string; isMatch: boolean }[] = [];
  let done = 0;
  for (const { word, start, end } of findWords(text)) {
    if (!isMatch(word)) continue;
    const last = pieces.at(-1);
    if (start > done) pieces.push({ text: text.slice(done, start), isMatch: false });
    // Without a space between them, they are one word for people.
    if (start === done && last?.isMatch === true) last.text += text.slice(start, end);
    else pieces.push({ text: text.slice(start, end), isMatch: true });
    done = end;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMatch: false });
  return pieces;
}
