import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cardFonts, readLetters, tryWriteLine } from './card-letters.ts';

// PAGE-16
it.each<[text: string, line: string | undefined]>([
  ['Night Signals', 'Night Signals'],
  ['Ça vaut 5 €: «œuvre»… – “Ørsted” ©™½', 'Ça vaut 5 €: «œuvre»… – “Ørsted” ©™½'],
  ['Ночные сигналы · Νυχτερινά σήματα', 'Ночные сигналы · Νυχτερινά σήματα'],
  ['ليالي الإشارات ٢٠٢٦، پادکست', 'ليالي الإشارات ٢٠٢٦، پادکست'],
  ['לילות שָׁלוֹם', 'לילות שָׁלוֹם'],
  ['रात के संकेत', 'रात के संकेत'],
  ['Tiếng Việt', 'Tiếng Việt'],
  ['夜の信号', undefined],
  ['밤의 신호', undefined],
  ['สัญญาณ', undefined],
  ['Night 夜', undefined],
  ['🎧 Night 🔥🔥 Signals 👩‍🚀', 'Night Signals'],
  ['Flags 🇫🇷 and 1️⃣', 'Flags and 1'],
  ['🎧', ''],
  [' two \n lines\t', 'two lines'],
  ['nul\0 bell\x07 C1\x85', 'nul bell C1'],
  ['', ''],
  ['\u200eA\u200e', '\u200eA\u200e'],
  ['\u200e \u202e\u00ad', ''],
])('a line of a card: %j', (text, line) => {
  expect(tryWriteLine(text)).toBe(line);
});

it('the fonts of both weights have the same letters', () => {
  for (const [index, file] of cardFonts.bold.entries()) {
    const regular = readLetters(readFileSync(cardFonts.regular[index] as string));
    expect(regular).toEqual(readLetters(readFileSync(file)));
  }
});
