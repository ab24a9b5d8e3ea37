import { fileURLToPath } from 'node:url';
import type { SharpConstructor } from 'sharp';
import { escapeXml } from '../../../lib/escape.ts';
import { splitPhrases } from '../../../lib/split-phrases.ts';
import { trimEndOf } from '../../../lib/trim-end.ts';
import { cardFonts } from './card-letters.ts';

// Before Fontconfig starts, with the first text of the process.
process.env['FONTCONFIG_FILE'] = fileURLToPath(new URL('./no-system-fonts.conf', import.meta.url));
const families = 'Noto Sans, Noto Sans Arabic, Noto Sans Hebrew';

export interface TextStyle {
  readonly weight: keyof typeof cardFonts;
  readonly color: string;
  readonly language: string;
  /** Text is broken and made smaller until it fits. */
  readonly width: number;
  readonly height: number;
  /** From the largest on. */
  readonly sizesPx: readonly [number, ...number[]];
}

/** A text as a picture without margins. */
export interface SetText {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A text of one line is not broken. */
type Wrap = 'word' | 'word-char' | 'none';

const loadedFonts = new Set<string>();

/**
 * Sets a text in the largest size at which it fits, without breaking words. In the smallest, words are broken
 * if they must be, and what is too long ends with an ellipsis. To try sizes is most of the work, so it halves
 * those that are left each time.
 */
export async function setText(
  sharp: SharpConstructor,
  text: string,
  style: TextStyle,
): Promise<SetText> {
  await loadFonts(sharp, cardFonts[style.weight]);
  const smallest = style.sizesPx.at(-1) as number;
  const sizes = style.sizesPx.filter((px) => px !== smallest && !isFarTooLarge(text, px, style));
  let largest: SetText | undefined;
  for (let [from, to] = [0, sizes.length]; from < to; ) {
    const middle = Math.floor((from + to) / 2);
    const px = sizes[middle] as number;
    const set = await write(sharp, text, { ...style, px, wrap: 'word' });
    if (fits(set, style)) [largest, to] = [set, middle];
    else from = middle + 1;
  }
  if (largest !== undefined) return largest;
  const wrap = style.height < smallest * 2 ? 'none' : 'word-char';
  return await cutToFit(sharp, text, { ...style, px: smallest, wrap });
}

const fits = (set: SetText, { width, height }: TextStyle) =>
  set.width <= width && set.height <= height;

/** The narrowest letters are a quarter as wide as high. Spares texts that would be set in vain. */
function isFarTooLarge(text: string, px: number, { width, height }: TextStyle): boolean {
  const lines = (text.length * px) / 4 / width;
  return lines * px > height;
}

interface Writing extends TextStyle {
  readonly px: number;
  readonly wrap: Wrap;
}

/** Each try has less text, so it ends. */
async function cutToFit(sharp: SharpConstructor, text: string, style: Writing): Promise<SetText> {
  let set = await write(sharp, text, style);
  for (let left = text; !fits(set, style) && left.length > 1; ) {
    const share = Math.min(style.width / set.width, style.height / set.height);
    left = cutWord(left, Math.min(left.length - 1, Math.ceil(left.length * share)));
    set = await write(sharp, `${left}…`, style);
  }
  return set;
}

/** At the end of a word if one is near. */
function cutWord(text: string, length: number): string {
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return trimEndOf(space > length * 0.7 ? cut.slice(0, space) : cut, ' ,;:.…–-');
}

/** With word joiners where Pango should not break a line. */
function keepPhrases(text: string, language: string): string {
  const phrases = splitPhrases(text, language);
  if (phrases.length === 1) return text;
  return phrases.map((phrase) => [...phrase].join('\u2060')).join('');
}

async function write(
  sharp: SharpConstructor,
  text: string,
  { weight, color, language, width, px, wrap }: Writing,
): Promise<SetText> {
  const breakable = wrap === 'word' ? keepPhrases(text, language) : text;
  // The font for Arabic has room for piled marks, which titles don't have.
  const lineHeight = /\p{sc=Arabic}/u.test(text) ? 0.68 : 0.85;
  const { data: png, info } = await sharp({
    text: {
      text: `<span lang="${escapeXml(language)}" foreground="${color}" line_height="${lineHeight}">${escapeXml(breakable)}</span>`,
      font: `${families} ${weight === 'bold' ? 'Bold ' : ''}${px}`,
      // Points are then pixels.
      dpi: 72,
      rgba: true,
      ...(wrap !== 'none' && { width, wrap }),
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  return { png, width: info.width, height: info.height };
}

/**
 * Names each font file once. From then on, its family is known to the process, and writes what the fonts that
 * are asked for lack.
 */
export async function loadFonts(sharp: SharpConstructor, files: readonly string[]): Promise<void> {
  for (const fontfile of files) {
    if (loadedFonts.has(fontfile)) continue;
    await sharp({ text: { text: '.', fontfile, dpi: 72 } })
      .raw()
      .toBuffer();
    loadedFonts.add(fontfile);
  }
}
