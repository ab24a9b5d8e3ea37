import { hash } from 'node:crypto';

/** Before and after normalization, which makes some characters up to 18 times longer. */
const longestTitle = 500;

/**
 * The same text for titles that differ only in case, spaces and punctuation; a title of symbols
 * alone counts as it is. A hash, because a slice of a string keeps the whole string in memory.
 */
export function titleKey(title: string): string {
  const normal = title.slice(0, longestTitle).normalize('NFKC').slice(0, longestTitle);
  const plain = normal.toLowerCase();
  return hash('sha256', plain.replace(/[^\p{L}\p{N}\p{M}]+/gu, '') || plain, 'base64');
}
