import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

const thaiFont = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
);

it('a line of a card has letters of a font that the operator has named', () => {
  expect(tryWriteLine('สัญญาณ 🔥', [thaiFont])).toBe('สัญญาณ');
  expect(tryWriteLine('สัญญาณ 夜', [thaiFont])).toBeUndefined();
});

it('the letters of a collection are those of its first font', () => {
  const font = readFileSync(thaiFont);
  expect(readLetters(asCollection(font))).toEqual(readLetters(font));
});

it('letters beyond U+FFFF are read', () => {
  const groups = [
    [0x4e00, 0x9fff],
    [0x20bb7, 0x20bb7],
  ] as const;
  const letters = { starts: [0x4e00, 0x20bb7], ends: [0x9fff, 0x20bb7] };
  expect(readLetters(fontWith(groups))).toEqual(letters);
});

/** The same font behind the header of a collection. */
function asCollection(font: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.write('ttcf', 'latin1');
  header.writeUInt32BE(1, 8);
  header.writeUInt32BE(header.length, 12);
  const moved = Buffer.from(font);
  const tables = font.readUInt16BE(4);
  for (let entry = 12; entry < 12 + tables * 16; entry += 16)
    moved.writeUInt32BE(font.readUInt32BE(entry + 8) + header.length, entry + 8);
  return Buffer.concat([header, moved]);
}

/** A font with nothing but a table of letters in format 12: ranges from the first letter to the last. */
function fontWith(groups: readonly (readonly [first: number, last: number])[]): Buffer {
  const words = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4);
    return bytes;
  };
  const head = Buffer.concat([words(0x10000, 0x10000, 0), Buffer.from('cmap'), words(0, 28, 0)]);
  const encoding = words(1, 0x3000a, 12);
  const table = words(12 << 16, 0, 0, groups.length, ...groups.flatMap(([a, b]) => [a, b, 0]));
  return Buffer.concat([head, encoding, table]);
}
