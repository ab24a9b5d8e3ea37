import { createHash } from 'node:crypto';
import type { Metadata, Sharp, SharpConstructor } from 'sharp';
import { imageFileMebibytes } from '../../../lib/limits.ts';
import { findMainColor } from '../../../lib/picture-colors.ts';
import { loadSharp } from '../../foundation/load-sharp.ts';
import { detectImageKind, type ImageKind } from './detect-image-kind.ts';
import {
  comfortableImageBytes,
  ImageError,
  type ImageVariant,
  imageBoxesPx,
  needsWideCopy,
  type PreparedImage,
  type Size,
  type VariantBoxPx,
  variantSize,
  wideBoxPx,
} from './image.ts';
import { measureSimilarity } from './measure-similarity.ts';

export const maxImageBytes = imageFileMebibytes * 1024 * 1024;
const maxInputSidePx = 6000;
const maxFrames = 2000;
const maxScans = 100;
const scanMark = Buffer.from([0xff, 0xda]);
const maxStoredSidePx = 3000;
const variantQuality = 80;
/** Enough pixels on each side to find the colors of a cover. */
const colorsSidePx = 48;
const storedQuality = 90;

type Stored = Omit<PreparedImage, 'sha256' | 'color' | 'variants'>;

export interface ImageUse {
  /** A page shows the picture over its whole width. */
  readonly isWide?: boolean | undefined;
}

/**
 * Makes an uploaded picture (JPEG, PNG, WebP, GIF's first frame, AVIF; recognized by content) ready
 * to be published. A JPEG or PNG that is upright, has at most 3,000 px a side and names no place is
 * kept byte for byte. Others are written anew, without metadata. What is then too large for
 * directories becomes a smaller JPEG, unless one would see that. Throws ImageError. `prepareImage`
 * calls it in a child process.
 */
export async function readImage(
  input: Buffer,
  { isWide = false }: ImageUse = {},
): Promise<PreparedImage> {
  if (input.length === 0) throw new ImageError('empty', 'The file is empty.');
  if (input.length > maxImageBytes) {
    throw new ImageError('too_many_bytes', 'The image is larger than 25 MB.');
  }
  const kind = detectImageKind(input);
  if (kind === 'jpeg') refuseManyScans(input);
  const sharp = await loadSharp();
  const metadata = await readHead(sharp, input, kind);
  try {
    const full = isKept(kind, metadata)
      ? { ...keptAs(kind), bytes: input, width: metadata.width, height: metadata.height }
      : await writeAnew(sharp, input, metadata);
    const stored = await shrink(sharp, input, metadata, full);
    const boxes: readonly VariantBoxPx[] =
      isWide && needsWideCopy(stored) ? [...imageBoxesPx, wideBoxPx] : imageBoxesPx;
    const { variants, color } = await makeVariants(sharp, input, stored, boxes);
    const sha256 = createHash('sha256').update(stored.bytes).digest('hex');
    return { ...stored, sha256, color, variants };
  } catch (cause) {
    throw new ImageError('damaged', 'The image is damaged.', { cause });
  }
}

/** Reads the head alone, so that no decompression bomb is unpacked. */
async function readHead(
  sharp: SharpConstructor,
  input: Buffer,
  kind: ImageKind,
): Promise<Metadata> {
  let metadata: Metadata;
  try {
    metadata = await sharp(input, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new ImageError('damaged', 'The image is damaged.', { cause });
  }
  // The file contains two formats: the decoder would read another one than the first bytes say.
  if (metadata.format !== (kind === 'avif' ? 'heif' : kind)) {
    throw new ImageError(
      'not_an_image',
      'The image does not match its file format. Save it again as JPEG or PNG.',
    );
  }
  if (metadata.width > maxInputSidePx || metadata.height > maxInputSidePx) {
    throw new ImageError('too_many_pixels', 'The image is more than 6000 pixels wide or high.');
  }
  if ((metadata.pages ?? 1) > maxFrames) {
    const message = `The animation has more than ${maxFrames} frames. Send a still image.`;
    throw new ImageError('too_complex', message);
  }
  return metadata;
}

/**
 * Each scan of a progressive JPEG goes over the whole picture again, even if it has a few bytes:
 * thousands take minutes. Programs write about ten.
 */
function refuseManyScans(jpeg: Buffer): void {
  let scans = 0;
  for (let at = 0; ; at += scanMark.length) {
    at = jpeg.indexOf(scanMark, at);
    if (at < 0) return;
    scans += 1;
    if (scans > maxScans) {
      const message = `The image has more than ${maxScans} scans. Save it again as JPEG or PNG.`;
      throw new ImageError('too_complex', message);
    }
  }
}

function isKept(kind: ImageKind, metadata: Metadata): boolean {
  return (
    (kind === 'jpeg' || kind === 'png') &&
    Math.max(metadata.width, metadata.height) <= maxStoredSidePx &&
    (metadata.orientation ?? 1) === 1 &&
    metadata.space !== 'cmyk' &&
    !containsLocation(metadata)
  );
}

function keptAs(kind: ImageKind): Pick<PreparedImage, 'contentType' | 'extension'> {
  return kind === 'png'
    ? { contentType: 'image/png', extension: 'png' }
    : { contentType: 'image/jpeg', extension: 'jpg' };
}

/** Upright, in sRGB, only the first frame; sharp writes no metadata by default. */
function openPicture(sharp: SharpConstructor, input: Buffer): Sharp {
  const limitInputPixels = maxInputSidePx * maxInputSidePx;
  return sharp(input, { limitInputPixels, failOn: 'error' }).autoOrient();
}

async function writeAnew(
  sharp: SharpConstructor,
  input: Buffer,
  metadata: Metadata,
): Promise<Stored> {
  const isOpaque = await isPictureOpaque(sharp, input, metadata);
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

/** Most alpha channels are not used, and a photograph as PNG is ten times larger. */
async function isPictureOpaque(
  sharp: SharpConstructor,
  input: Buffer,
  { hasAlpha }: Metadata,
): Promise<boolean> {
  return !hasAlpha || (await openPicture(sharp, input).stats()).isOpaque;
}

async function shrink(
  sharp: SharpConstructor,
  input: Buffer,
  metadata: Metadata,
  stored: Stored,
): Promise<Stored> {
  const { bytes: full, width, height } = stored;
  if (full.length <= comfortableImageBytes) return stored;
  if (!(await isPictureOpaque(sharp, input, metadata))) return stored;
  const { data, info } = await openPicture(sharp, input)
    .resize({ width, height, fit: 'fill' })
    .removeAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const channels = info.channels === 1 ? 1 : 3;
  const bytes = await tryShrinkPicture(sharp, { data, width, height, channels });
  return bytes === undefined ? stored : { ...keptAs('jpeg'), bytes, width, height };
}

/**
 * Unpacks the whole picture once, which finds damage, and shrinks it from there. The sizes depend
 * only on the size of the stored picture.
 */
async function makeVariants(
  sharp: SharpConstructor,
  input: Buffer,
  stored: Size,
  boxesPx: readonly VariantBoxPx[],
): Promise<Pick<PreparedImage, 'variants' | 'color'>> {
  const [largest = wideBoxPx] = boxesPx.toReversed();
  const { data, info } = await openPicture(sharp, input)
    .resize({ ...variantSize(stored, largest), fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const variants: ImageVariant[] = [];
  for (const boxPx of boxesPx) {
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

/** The parts of a picture's metadata that may say where it was taken. */
interface ImageMetadata {
  readonly exif?: Buffer | undefined;
  readonly xmp?: Buffer | undefined;
  readonly iptc?: Buffer | undefined;
}

/** Whether a picture says where it was taken. Metadata that cannot be read counts as a yes. */
function containsLocation({ exif, xmp, iptc }: ImageMetadata): boolean {
  if (exif !== undefined && exifHasGps(exif)) return true;
  if (xmp !== undefined && /GPS|photoshop:City|LocationCreated/.test(xmp.toString('latin1'))) {
    return true;
  }
  return iptc !== undefined && iptcHasPlace(iptc);
}

const gpsInfo = 0x8825;
const exifMark = 'Exif\0\0';

function exifHasGps(exif: Buffer): boolean {
  const marked = exif.toString('latin1', 0, exifMark.length) === exifMark;
  const tiff = marked ? exif.subarray(exifMark.length) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return true;
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return true;
  const entries = read16(first);
  if (first + 2 + entries * 12 > tiff.length) return true;
  for (let entry = 0; entry < entries; entry += 1) {
    if (read16(first + 2 + entry * 12) === gpsInfo) return true;
  }
  return false;
}

// IPTC-IIM record 2: city, sublocation, province, country code, country name.
const placeDatasets = new Set([90, 92, 95, 100, 101]);

function iptcHasPlace(iptc: Buffer): boolean {
  for (let at = 0; at + 3 < iptc.length; at += 1) {
    const isDataset = iptc[at] === 0x1c && iptc[at + 1] === 2;
    if (isDataset && placeDatasets.has(iptc[at + 2] ?? 0)) return true;
  }
  return false;
}

/** Below the last one, edges in lettering get visible shadows. */
const qualities = [95, 88, 80, 72];
/** Of 1 for equal pictures. Above it, one does not see the difference without magnifying. */
const minSimilarity = 0.95;

interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 3;
}

/**
 * The picture as a JPEG of the same size in pixels and at most `comfortableImageBytes`; undefined if
 * it would lose visibly, as noise does.
 */
async function tryShrinkPicture(
  sharp: SharpConstructor,
  { data, ...raw }: Pixels,
): Promise<Buffer | undefined> {
  for (const quality of qualities) {
    const bytes = await sharp(data, { raw }).jpeg({ quality, mozjpeg: true }).toBuffer();
    if (bytes.length > comfortableImageBytes) continue;
    const smaller = await sharp(bytes).raw().toBuffer();
    return measureSimilarity({ data, ...raw }, smaller) >= minSimilarity ? bytes : undefined;
  }
  return undefined;
}
