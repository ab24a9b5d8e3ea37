import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareWords } from './compare-words.ts';

const marked = (text: string, other: string) =>
  compareWords(text, other)
    .map((part) => (part.isOwn ? `[${part.text}]` : part.text))
    .join('');

describe('words in only one text', () => {
  it.each([
    ['the same', 'the same', 'the same'],
    ['a new word', 'a word', 'a [new ]word'],
    ['first light', 'last light', '[first] light'],
    ['one two three four', 'zero two four', '[one] two[ three] four'],
    ['', 'anything', ''],
    ['anything', '', '[anything]'],
  ])('%s / %s', (text, other, expected) => {
    expect(marked(text, other)).toBe(expected);
  });

  it('words in only one text are the rest beside the common words', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n')).map((list) => list.join(' '));
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        const parts = compareWords(text, other);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        const shared = parts.filter((part) => !part.isOwn).map((part) => part.text);
        expect(isSubsequence(shared.join(''), other)).toBe(true);
      }),
    );
  });

  it('words in only one text are found in long texts, or the whole middle counts as different', () => {
    const words = (count: number, word: string) => Array(count).fill(word).join(' ');
    expect(compareWords(words(50_000, 'a'), words(50_000, 'b'))).toHaveLength(1);
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let index = 0;
  for (const character of whole) if (character === part[index]) index += 1;
  return index === part.length;
}
