import type { Random } from '../fuzz/random.ts';

const syllables = 'ka lo mi ter ran ve shu on pel dra in co ly ba su gre not wen fa ist'.split(' ');
const vocabulary = 30_000;

/**
 * A word by its rank. In speech, the word of rank n has a share of about 1/n (Zipf), so a few words are in every
 * sentence and most are rare.
 */
export function wordOfRank(rank: number): string {
  let rest = rank;
  let word = '';
  do {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return word;
}

/** Texts of ten words. */
export function makeSpeech(random: Random, count: number): string[] {
  const rank = () => Math.floor(vocabulary ** random.next()) - 1;
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 10 }, () => wordOfRank(rank())).join(' ');
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  });
}
