/**
 * Show notes that compress about as well as real ones: paragraphs of invented words with a link.
 * Some words are much more frequent than others, and the last third is the same for every episode.
 * The same `seed` always gives the same text.
 */
export function makeNotes(seed: number, lengthChars: number): string {
  return makeParagraphs(seed, (lengthChars * 2) / 3) + makeParagraphs(0, lengthChars / 3);
}

function makeParagraphs(seed: number, lengthChars: number): string {
  const random = createRandom(seed);
  let text = '';
  for (let paragraph = 1; text.length < lengthChars; paragraph += 1) {
    const words = Array.from({ length: 60 }, () => pickWord(random)).join(' ');
    const link = `https://example.com/${pickWord(random)}/${seed}/${paragraph}`;
    text += `<p>${words} <a href="${link}">${pickWord(random)}</a>.</p>`;
  }
  return text;
}

const syllables = 'ka te mo ri san lu ver pi don ce gra fel ni shu bo wen ta ry oc ul'.split(' ');
const vocabularySize = 4_000;
/** How strongly the first words of the vocabulary are preferred. */
const skew = 3;

function pickWord(random: () => number): string {
  let rest = Math.floor(vocabularySize * random() ** skew);
  let word = '';
  do {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return word;
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
