import { containsText } from '../../lib/contains-text.ts';
import { decodeReferences } from './feed/character-references.ts';

/**
 * The first of these texts, or a later one that contains all its words and more: feeds often have
 * an excerpt in one element and the whole in another. Takes linear time.
 */
export function pickFullest(texts: readonly (string | undefined)[]): string | undefined {
  let fullest: string | undefined;
  let words = '';
  for (const text of texts) {
    if (text === undefined) continue;
    const others = wordsOf(text);
    const isFuller = others.length > words.length && containsText(others, words);
    if (fullest !== undefined && !isFuller) continue;
    fullest = text;
    words = others;
  }
  return fullest;
}

/** Only letters and digits: markup, spaces and ellipses do not count. */
function wordsOf(text: string): string {
  const plain = decodeReferences(text.replace(/<[^<>]*>/g, ' '));
  return plain.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
