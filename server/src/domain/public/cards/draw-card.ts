import type { OverlayOptions, SharpConstructor } from 'sharp';
import { loadSharp } from '../../foundation/load-sharp.ts';
import { type Card, cardPx, mostCardBytes } from './card.ts';
import { tryWriteLine } from './card-letters.ts';
import { loadFonts, type SetText, setText, type TextStyle } from './set-text.ts';

const { width: widthPx, height: heightPx } = cardPx;
const marginPx = 60;
const coverPx = heightPx - 2 * marginPx;
const cornerPx = 20;
const columnLeftPx = marginPx + coverPx + 56;
const columnPx = widthPx - marginPx - columnLeftPx;

/** The texts of a card as the fonts write them. */
type Texts = Pick<Card, 'initial' | 'lead' | 'main' | 'byline' | 'facts'>;

/**
 * Draws a card as a JPEG, as good as `mostCardBytes` allow (PAGE-16). `cover`: the bytes of its picture, which
 * is blurred if it is too much, as noise is. `fonts`: files beside those that are shipped.
 */
export async function drawCard(
  card: Card,
  cover: Buffer | undefined,
  fonts: readonly string[] = [],
): Promise<Buffer> {
  const sharp = await loadSharp();
  await loadFonts(sharp, fonts);
  const texts = tryWrite(card, fonts);
  const left = texts === undefined ? (widthPx - coverPx) / 2 : mirror(card, marginPx, coverPx);
  const column = texts === undefined ? [] : await drawTexts(sharp, card, texts);
  for (const [at, blur] of blurs.entries()) {
    const place =
      cover === undefined
        ? await drawInitial(sharp, card, texts?.initial ?? '', left)
        : await drawCover(sharp, cover, left, blur);
    const pixels = await sharp(Buffer.from(drawGround(card, left)))
      .composite([place, ...column])
      .removeAlpha()
      .raw()
      .toBuffer();
    const isLast = cover === undefined || at === blurs.length - 1;
    const bytes = await tryEncode(sharp, pixels, isLast ? 0 : leastBesideCover);
    if (bytes !== undefined) return bytes;
  }
  throw new Error('the card has too many bytes');
}

/** The first one is none. */
const blurs = [0, 2, 6, 20] as const;
/**
 * From the best on, with the bytes that each takes of those of the best, at least. The last ones are for dense
 * letters, which stay sharp beside any cover.
 */
const qualities = [
  { quality: 88, share: 1 },
  { quality: 80, share: 0.7 },
  { quality: 70, share: 0.53 },
  { quality: 60, share: 0.44 },
  { quality: 50, share: 0.38 },
  { quality: 40, share: 0.3 },
  { quality: 30, share: 0.2 },
  { quality: 20, share: 0.1 },
  { quality: 10, share: 0 },
] as const;
const leastBesideCover = 50;

/** Undefined: the fonts lack a letter that somebody wrote. What we write is then left out. */
function tryWrite(card: Card, fonts: readonly string[]): Texts | undefined {
  const write = (text: string) => tryWriteLine(text, fonts);
  const [lead, main, byline] = [card.lead, card.main, card.byline].map(write);
  if (lead === undefined || byline === undefined || !main) return undefined;
  const [initial = '', facts = ''] = [card.initial, card.facts].map(write);
  return { initial, lead, main, byline, facts };
}

/** Where something of this width is, if it is at `leftPx` from left to right. */
function mirror({ direction }: Pick<Card, 'direction'>, leftPx: number, ofPx: number): number {
  return direction === 'rtl' ? widthPx - leftPx - ofPx : leftPx;
}

const waveCount = 96;

/** A light in the corner behind the texts, waves, and the shadow of the cover. */
function drawGround({ colors, direction }: Card, coverLeft: number): string {
  const { ground, ink, tint } = colors;
  const far = direction === 'rtl' ? 0 : widthPx;
  const waves = Array.from({ length: waveCount }, (_, n) => {
    const swing = Math.abs(Math.sin(n * 0.7) * Math.cos(n * 0.23) + 0.35 * Math.sin(n * 2.1));
    const high = 10 + 70 * swing;
    const x = (n + 0.5) * (widthPx / waveCount) - 2.5;
    return `<rect x="${x}" y="${heightPx - high}" width="5" height="${high + 9}" rx="2.5"/>`;
  });
  const shadows = [18, 14, 10, 6, 3].map((blur) => {
    const side = coverPx + 2 * blur;
    return `<rect x="${coverLeft - blur}" y="${marginPx - blur + 8}" width="${side}" height="${side}" rx="${cornerPx + blur}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}">
<defs><radialGradient id="light" gradientUnits="userSpaceOnUse" cx="${far}" cy="0" r="1000">
<stop offset="0" stop-color="${tint}"/><stop offset="1" stop-color="${ground}"/></radialGradient></defs>
<rect width="100%" height="100%" fill="url(#light)"/>
<g fill="${ink}" fill-opacity="0.07">${waves.join('')}</g>
<g fill="#000" fill-opacity="0.05">${shadows.join('')}</g></svg>`;
}

/** With round corners; the middle of one that isn't square. */
async function drawCover(
  sharp: SharpConstructor,
  cover: Buffer,
  left: number,
  blur: number,
): Promise<OverlayOptions> {
  const { data: pixels, info } = await sharp(cover)
    .resize({ width: coverPx, height: coverPx, fit: 'cover' })
    .blur(blur === 0 ? false : blur)
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const shape = Buffer.from(
    `<svg width="${coverPx}" height="${coverPx}"><rect width="100%" height="100%" rx="${cornerPx}"/></svg>`,
  );
  const { width, height, channels } = info;
  const input = await sharp(pixels, { raw: { width, height, channels } })
    .composite([{ input: shape, blend: 'dest-in' }])
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { input, left, top: marginPx };
}

/** Heights of the sound that is drawn where no font has the letter, of the tallest. */
const bars = [0.35, 0.7, 1, 0.7, 0.35] as const;
const bar = { width: 32, apart: 64, height: 240 } as const;

/** Instead of a cover: the letter, as on pages. */
async function drawInitial(
  sharp: SharpConstructor,
  { colors, language }: Card,
  initial: string,
  left: number,
): Promise<OverlayOptions> {
  const sound = bars.map((share, n) => {
    const height = bar.height * share;
    const x = (coverPx - bar.width) / 2 + (n - 2) * bar.apart;
    return `<rect x="${x}" y="${(coverPx - height) / 2}" width="${bar.width}" height="${height}" rx="${bar.width / 2}"/>`;
  });
  const box = Buffer.from(
    `<svg width="${coverPx}" height="${coverPx}"><rect width="100%" height="100%" rx="${cornerPx}" fill="${colors.tint}"/>
<g fill="${colors.ink}">${initial === '' ? sound.join('') : ''}</g></svg>`,
  );
  const place = { width: coverPx, height: coverPx, sizesPx: [300, 200, 100] } as const;
  const letter =
    initial !== '' &&
    (await setText(sharp, initial, { ...place, language, weight: 'bold', color: colors.ink }));
  const input = await sharp(box)
    .composite(letter ? [{ input: letter.png, gravity: 'center' }] : [])
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { input, left, top: marginPx };
}

const titleSizesPx = [108, 96, 84, 74, 66, 58, 52, 46, 40, 36, 32] as const;
const quoteSizesPx = [54, 48, 42, 38, 34, 30, 27] as const;
const rule = { width: 72, height: 8 } as const;

interface Placed extends SetText {
  /** The distance to what is above. */
  readonly gap: number;
}

/** The column of texts, in the middle of the card's height. */
async function drawTexts(
  sharp: SharpConstructor,
  card: Card,
  texts: Texts,
): Promise<OverlayOptions[]> {
  const around = await setSmallTexts(sharp, card, texts);
  const taken = [...around.above, ...around.below].reduce(
    (sum, { gap, height }) => sum + gap + height,
    0,
  );
  const main = await setText(sharp, texts.main, {
    weight: 'bold',
    color: card.colors.ink,
    language: card.language,
    width: columnPx,
    height: coverPx - taken - 28,
    sizesPx: card.isQuote ? quoteSizesPx : titleSizesPx,
  });
  const column = [...around.above, { ...main, gap: 28 }, ...around.below];
  let top = (heightPx - (taken + 28 + main.height)) / 2;
  return column.map(({ png, width, height, gap }) => {
    top += gap + height;
    const left = mirror(card, columnLeftPx, width);
    return { input: png, left: Math.round(left), top: Math.round(top - height) };
  });
}

async function setSmallTexts(
  sharp: SharpConstructor,
  { colors, language, isQuote }: Card,
  { lead, byline, facts }: Texts,
): Promise<{ readonly above: readonly Placed[]; readonly below: readonly Placed[] }> {
  const set = (text: string, style: Pick<TextStyle, 'weight' | 'color' | 'height' | 'sizesPx'>) =>
    setText(sharp, text, { width: columnPx, language, ...style });
  const above: Placed[] = [
    { ...(await drawMark(sharp, { color: colors.ink, language, isQuote })), gap: 0 },
  ];
  const below: Placed[] = [];
  if (lead !== '') {
    const style = { weight: 'bold', color: colors.muted, height: 80, sizesPx: [30, 28] } as const;
    above.push({ ...(await set(lead, style)), gap: 26 });
  }
  if (byline !== '') {
    const style = { weight: 'bold', color: colors.ink, height: 44, sizesPx: [30] } as const;
    below.push({ ...(await set(byline, style)), gap: 40 });
  }
  if (facts !== '') {
    const style = {
      weight: 'regular',
      color: colors.muted,
      height: 40,
      sizesPx: [27, 25, 23],
    } as const;
    below.push({ ...(await set(facts, style)), gap: byline === '' ? 40 : 18 });
  }
  return { above, below };
}

/** A short rule, or a quotation mark. */
async function drawMark(
  sharp: SharpConstructor,
  { isQuote, ...written }: Pick<Card, 'language' | 'isQuote'> & { readonly color: string },
): Promise<SetText> {
  if (isQuote) {
    const style = { weight: 'bold', width: 200, height: 100, sizesPx: [150] } as const;
    return await setText(sharp, '“', { ...style, ...written });
  }
  const { width, height } = rule;
  const svg = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" rx="4" fill="${written.color}"/></svg>`;
  return { png: await sharp(Buffer.from(svg)).png().toBuffer(), width, height };
}

/**
 * Undefined: it is too large in every quality that may be tried. Encoding takes time, so qualities that are surely
 * too large for this card, by what it takes in the best one, are left out.
 */
async function tryEncode(
  sharp: SharpConstructor,
  data: Buffer,
  leastQuality: number,
): Promise<Buffer | undefined> {
  let mostShare = 1;
  for (const { quality, share } of qualities) {
    if (quality < leastQuality || share > mostShare) continue;
    const bytes = await sharp(data, { raw: { ...cardPx, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (bytes.length <= mostCardBytes) return bytes;
    mostShare = Math.min(mostShare, (share * mostCardBytes) / bytes.length);
  }
  return undefined;
}
