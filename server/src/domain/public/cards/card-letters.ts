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
 * The text on one line, as the shipped fonts and these `fonts` can write it: without emoji and invisible
 * characters that they don't have; empty if nobody would see it. Undefined if they lack a letter (PAGE-16).
 */
export function tryWriteLine(text: string, fonts: readonly string[] = []): string | undefined {
  let line = '';
  let isDropping = false;
  for (const letter of text.toWellFormed()) {
    if (isDropping && joiners.has(letter)) continue;
    isDropping = /\p{Cc}/u.test(letter) || !canWrite(letter.codePointAt(0) as number, fonts);
    if (/\s/.test(letter)) line += ' ';
    else if (!isDropping) line += letter;
    else if (!/\p{Cc}/u.test(letter) && !dispensable.test(letter)) return undefined;
  }
  return visible.test(line) ? line.replace(/ {2,}/g, ' ').trim() : '';
}

/** By the files of their fonts. */
const known = new Map<string, Letters>();

function canWrite(codePoint: number, fonts: readonly string[]): boolean {
  return [...cardFonts.bold, ...fonts].some((file) => {
    const letters = known.get(file) ?? readLetters(readFileSync(file));
    known.set(file, letters);
    return hasLetter(letters, codePoint);
  });
}

/** The letters of a font: starts and ends of ranges in order. */
interface Letters {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Reads the `cmap` table of an OpenType font, or of the first one of a collection, whose fonts have the same
 * letters. Format 12 has all letters; format 4, which every font for text has, those up to U+FFFF.
 */
export function readLetters(font: Buffer): Letters {
  const table = findCmap(font);
  const count = font.readUInt16BE(table + 2);
  const places = Array.from(
    { length: count },
    (_, n) => table + font.readUInt32BE(table + 4 + n * 8 + 4),
  );
  const placeOf = (format: number) => places.find((at) => font.readUInt16BE(at) === format);
  const [all, basic] = [placeOf(12), placeOf(4)];
  if (all !== undefined) return readGroups(font, all);
  if (basic !== undefined) return readSegments(font, basic);
  throw new Error('the font names no letters');
}

function readGroups(font: Buffer, at: number): Letters {
  const groups = font.readUInt32BE(at + 12);
  const read = (start: number) =>
    Array.from({ length: groups }, (_, group) => font.readUInt32BE(start + group * 12));
  return { starts: read(at + 16), ends: read(at + 20) };
}

/** The last segment, U+FFFF, only marks the end. */
function readSegments(font: Buffer, at: number): Letters {
  const segments = font.readUInt16BE(at + 6) / 2;
  const read = (start: number) =>
    Array.from({ length: segments - 1 }, (_, segment) => font.readUInt16BE(start + segment * 2));
  return { ends: read(at + 14), starts: read(at + 16 + segments * 2) };
}

function findCmap(font: Buffer): number {
  const start = font.toString('latin1', 0, 4) === 'ttcf' ? font.readUInt32BE(12) : 0;
  const tables = font.readUInt16BE(start + 4);
  for (let entry = start + 12; entry < start + 12 + tables * 16; entry += 16) {
    if (font.toString('latin1', entry, entry + 4) === 'cmap') return font.readUInt32BE(entry + 8);
  }
  throw new Error('the font has no cmap table');
}

function hasLetter({ starts, ends }: Letters, codePoint: number): boolean {
  const range = ends.findIndex((end) => codePoint <= end);
  return range >= 0 && codePoint >= (starts[range] as number);
}
