import { createHash } from 'node:crypto';
import type { Metadata, Sharp } from 'sharp';
import { findMainColor } from '../../lib/picture-colors.ts';
import {
  ImageError,
  type ImageVariant,
  imageBoxesPx,
  type PreparedImage,
  type Size,
  variantSize,
} from './image.ts';
import { loadSharp, type SharpModule } from './load-sharp.ts';
import { type ImageKind, tellImageKind } from './tell-image-kind.ts';
import { tellsLocation } from './tell-location.ts';

export const maxImageBytes = 25 * 1024 * 1024;
const maxInputSidePx = 6000;
const maxStoredSidePx = 3000;
const largestBoxPx = 640;
const variantQuality = 80;
/** As many dots a side as it takes to tell the colors of a cover. */
const colorsSidePx = 48;
const storedQuality = 90;

/**
 * Makes an uploaded picture (JPEG, PNG, WebP, GIF's first frame, AVIF; told by content) ready to be
 * published. A JPEG or PNG that is upright, at most 3,000 px a side and silent about places is kept
 * byte for byte; anything else is written anew, without metadata. Throws ImageError.
 * Pictures are made one after the other: each may take a hundred megabytes while it is open.
 */
export function prepareImage(input: Buffer): Promise<PreparedImage> {
  const mine = turn.then(() => prepare(input));
  turn = mine.catch(() => undefined);
  return mine;
}

let turn: Promise<unknown> = Promise.resolve();

async function prepare(input: Buffer): Promise<PreparedImage> {
  if (input.length === 0) throw new ImageError('empty', 'The file is empty.');
  if (input.length > maxImageBytes) {
    throw new ImageError('too_many_bytes', 'The picture is larger than 25 MB.');
  }
  const kind = tellImageKind(input);
  const sharp = await loadSharp();
  const metadata = await readHead(sharp, input, kind);
  try {
    const stored = isKept(kind, metadata)
      ? { ...keptAs(kind), bytes: input, width: metadata.width, height: metadata.height }
      : await writeAnew(sharp, input, metadata);
    const { variants, color } = await makeVariants(sharp, input, stored);
    const sha256 = createHash('sha256').update(stored.bytes).digest('hex');
    return { ...stored, sha256, color, variants };
  } catch (cause) {
    throw new ImageError('damaged', 'The picture is damaged.', { cause });
  }
}

/** Reads the head alone, so that no bomb is ever unpacked. */
async function readHead(sharp: SharpModule, input: Buffer, kind: ImageKind): Promise<Metadata> {
  let metadata: Metadata;
  try {
    metadata = await sharp(input, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new ImageError('damaged', 'The picture is damaged.', { cause });
  }
  // Two formats in one file: what the first bytes say is not what the decoder would read.
  if (metadata.format !== (kind === 'avif' ? 'heif' : kind)) {
    throw new ImageError(
      'not_an_image',
      'The picture is not in the format that it begins as. Save it again as JPEG or PNG.',
    );
  }
  if (metadata.width > maxInputSidePx || metadata.height > maxInputSidePx) {
    throw new ImageError('too_many_pixels', 'The picture has more than 6000 pixels a side.');
  }
  return metadata;
}

function isKept(kind: ImageKind, metadata: Metadata): boolean {
  return (
    (kind === 'jpeg' || kind === 'png') &&
    Math.max(metadata.width, metadata.height) <= maxStoredSidePx &&
    (metadata.orientation ?? 1) === 1 &&
    metadata.space !== 'cmyk' &&
    !tellsLocation(metadata)
  );
}

function keptAs(kind: ImageKind): Pick<PreparedImage, 'contentType' | 'extension'> {
  return kind === 'png'
    ? { contentType: 'image/png', extension: 'png' }
    : { contentType: 'image/jpeg', extension: 'jpg' };
}

/** Upright, in sRGB, the first frame alone; sharp writes no metadata unless told to. */
function openPicture(sharp: SharpModule, input: Buffer): Sharp {
  const limitInputPixels = maxInputSidePx * maxInputSidePx;
  return sharp(input, { limitInputPixels, failOn: 'error' }).autoOrient();
}

async function writeAnew(
  sharp: SharpModule,
  input: Buffer,
  metadata: Metadata,
): Promise<Omit<PreparedImage, 'sha256' | 'color' | 'variants'>> {
  // Most pictures with an alpha channel do not use it, and a photograph as PNG is ten times larger.
  const isOpaque = !metadata.hasAlpha || (await openPicture(sharp, input).stats()).isOpaque;
  const side = { width: maxStoredSidePx, height: maxStoredSidePx };
  const resized = openPicture(sharp, input).resize({
    ...side,
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await (isOpaque
    ? resized.removeAlpha().jpeg({ quality: storedQuality, mozjpeg: true })
    : resized.png()
  ).toBuffer({ resolveWithObject: true });
  return {
    ...keptAs(isOpaque ? 'jpeg' : 'png'),
    bytes: data,
    width: info.width,
    height: info.height,
  };
}

/**
 * Unpacks the whole picture once, so that a damaged one is noticed, and shrinks from there.
 * Sizes follow from the stored picture's, so that whoever knows those knows these.
 */
async function makeVariants(
  sharp: SharpModule,
  input: Buffer,
  stored: Size,
): Promise<Pick<PreparedImage, 'variants' | 'color'>> {
  const { data, info } = await openPicture(sharp, input)
    .resize({ ...variantSize(stored, largestBoxPx), fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const variants: ImageVariant[] = [];
  for (const boxPx of imageBoxesPx) {
    const size = variantSize(stored, boxPx);
    const bytes = await sharp(data, { raw: { width, height, channels } })
      .resize({ ...size, fit: 'fill' })
      .jpeg({ quality: variantQuality, mozjpeg: true })
      .toBuffer();
    variants.push({ boxPx, ...size, bytes });
  }
  const few = await sharp(data, { raw: { width, height, channels } })
    .resize({ width: colorsSidePx, height: colorsSidePx, fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  return { variants, color: findMainColor(few) };
}
