import { matchesWildcard, parseWildcard, type Wildcard } from './wildcard.ts';

interface Entry {
  /** The lowest rank of all matches counts. */
  readonly rank: number;
  readonly wildcard: Wildcard;
  /** The longest part of the pattern, by which it is found. */
  readonly key: string;
}

/** Keys are found by their first two characters: exactly for ASCII, by seven bits for others. */
const pairOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127);

/**
 * Finds the first of many wildcard patterns that a text matches, in linear time. The text is read
 * once. Only patterns whose key is in it are tried, each at most once.
 */
export class WildcardIndex {
  /** Patterns that begin with their key, by the first two characters of the key. */
  readonly #atStart: Entry[][] = [];
  readonly #anywhere: Entry[][] = [];
  /** For each pattern: the last search that tried it. */
  readonly #tried: Float64Array;
  #search = 0;

  /** Throws if a pattern has no part of two characters. */
  constructor(patterns: readonly string[]) {
    this.#tried = new Float64Array(patterns.length);
    for (const [rank, pattern] of patterns.entries()) {
      const wildcard = parseWildcard(pattern);
      const { start, middle, end = '' } = wildcard;
      const isAtStart = start.length > 1;
      const key = isAtStart ? start : longest([...middle, end]);
      if (key.length < 2) throw new Error(`"${pattern}" has no part of two characters`);
      const index = isAtStart ? this.#atStart : this.#anywhere;
      const pair = pairOf(key, 0);
      index[pair] ??= [];
      index[pair].push({ rank, wildcard, key });
    }
  }

  /** The position of the first pattern that the text matches, or -1. */
  find(text: string): number {
    this.#search += 1;
    let best = this.#try(this.#atStart[pairOf(text, 0)], text, 0, Number.POSITIVE_INFINITY);
    for (let at = 0; at < text.length - 1; at += 1) {
      best = this.#try(this.#anywhere[pairOf(text, at)], text, at, best);
    }
    return best === Number.POSITIVE_INFINITY ? -1 : best;
  }

  #try(entries: readonly Entry[] | undefined, text: string, at: number, best: number): number {
    if (entries === undefined) return best;
    for (const { rank, key, wildcard } of entries) {
      // Entries are in the order of their ranks.
      if (rank >= best) return best;
      if (this.#tried[rank] === this.#search || !text.startsWith(key, at)) continue;
      this.#tried[rank] = this.#search;
      if (matchesWildcard(wildcard, text)) return rank;
    }
    return best;
  }
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}
