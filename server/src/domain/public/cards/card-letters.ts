import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The shipped fonts, by weight. Those of a weight have the same letters as those of the other. */
export const cardFonts = {
  bold: [
    import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
    import.meta.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
  ].map((url) => fileURLToPath(url)),
  regular: [
    import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    import.meta.resolve(
      '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
    ),
    import.meta.resolve(
      '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
    ),
  ].map((url) => fileURLToPath(url)),
} as const;

/** What a text can do without: emoji, and characters that nobody sees. */
const dispensable =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Default_Ignorable_Code_Point}|\u20e3/u;
/** A text of nothing else has nothing to draw: it may begin with a mark of its direction. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u;
/** They join emoji to one. Between letters, they have a meaning. */
const joiners: ReadonlySet<string> = new Set(['\u200d', '\ufe0e', '\ufe0f']);

/**
 * The text on one line, as the shipped fonts can write it: without emoji and invisible characters that
 * they don't have; empty if nobody would see it. Undefined if they lack a letter (PAGE-16).
 */
export function tryWriteLine(text: string): string | undefined {
  let line = '';
  let isDropping = false;
  for (const letter of text.toWellFormed()) {
    if (isDropping && joiners.has(letter)) continue;
    isDropping = /\p{Cc}/u.test(letter) || !isShipped(letter.codePointAt(0) as number);
    if (/\s/.test(letter)) line += ' ';
    else if (!isDropping) line += letter;
    else if (!/\p{Cc}/u.test(letter) && !dispensable.test(letter)) return undefined;
  }
  return visible.test(line) ? line.replace(/ {2,}/g, ' ').trim() : '';
}

let shipped: readonly Letters[] | undefined;

function isShipped(codePoint: number): boolean {
  shipped ??= cardFonts.bold.map((file) => readLetters(readFileSync(file)));
  return shipped.some((letters) => hasLetter(letters, codePoint));
}

/** The letters of a font from U+0000 to U+FFFF: starts and ends of ranges in order. */
interface Letters {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Reads the `cmap` table of an OpenType font, in format 4, which every font for text has. Letters beyond
 * U+FFFF aren't in it; they belong to scripts that the shipped fonts don't have.
 */
export function readLetters(font: Buffer): Letters {
  const table = findCmap(font);
  const count = font.readUInt16BE(table + 2);
  for (let record = table + 4; record < table + 4 + count * 8; record += 8) {
    const at = table + font.readUInt32BE(record + 4);
    if (font.readUInt16BE(at) !== 4) continue;
    const segments = font.readUInt16BE(at + 6) / 2;
    const read = (start: number) =>
      Array.from({ length: segments }, (_, segment) => font.readUInt16BE(start + segment * 2));
    return { ends: read(at + 14), starts: read(at + 16 + segments * 2) };
  }
  throw new Error('the font names no letters');
}

function findCmap(font: Buffer): number {
  const tables = font.readUInt16BE(4);
  for (let entry = 12; entry < 12 + tables * 16; entry += 16) {
    if (font.toString('latin1', entry, entry + 4) === 'cmap') return font.readUInt32BE(entry + 8);
  }
  throw new Error('the font has no cmap table');
}

/** The last range, U+FFFF, only marks the end. */
function hasLetter({ starts, ends }: Letters, codePoint: number): boolean {
  const range = ends.findIndex((end) => codePoint <= end);
  return codePoint < 0xffff && range >= 0 && codePoint >= (starts[range] as number);
}
