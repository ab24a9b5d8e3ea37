import { artworkPx } from '../../../lib/limits.ts';
import { FileError } from '../../foundation/errors.ts';

export type ImageContentType = 'image/jpeg' | 'image/png';
export type ImageExtension = 'jpg' | 'png';

/** Pages show a picture in boxes of these sides; players and feeds take the picture itself. */
export const imageBoxesPx = [160, 320, 640] as const;
export type ImageBoxPx = (typeof imageBoxesPx)[number];

/** The copy of a larger picture that a page shows over its whole width. Only such pictures have one. */
export const wideBoxPx = 1600;
export type VariantBoxPx = ImageBoxPx | typeof wideBoxPx;
export const variantBoxesPx: readonly VariantBoxPx[] = [...imageBoxesPx, wideBoxPx];

/** Apple's recommendation for artwork. Apps load the one picture that a feed names. */
export const comfortableImageBytes = 512_000;

/** A JPEG that fits into a square of `boxPx`, in proportion, never larger than the original. */
export interface ImageVariant {
  readonly boxPx: VariantBoxPx;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** A picture as it is stored and published: upright, and without the place where it was taken. */
export interface PreparedImage {
  readonly contentType: ImageContentType;
  readonly extension: ImageExtension;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  /** Of `bytes`, lower-case hex. */
  readonly sha256: string;
  /** `#rrggbb`: the main color; null if that is gray. */
  readonly color: string | null;
  /** In the order of imageBoxesPx; then the wide one. */
  readonly variants: readonly ImageVariant[];
}

export type ImageRefusal =
  | 'empty'
  | 'not_an_image'
  | 'unsupported' // a kind of picture that is refused: SVG (it can hold scripts), HEIC, TIFF
  | 'too_many_bytes'
  | 'too_many_pixels'
  | 'too_complex' // takes too much memory or time to read
  | 'damaged';

/** Why a file cannot be used as a picture. `message` is for the person who sent it. */
export class ImageError extends FileError<ImageRefusal> {}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the variant for `boxPx`, which depends only on the picture's size. */
export function variantSize(image: Size, boxPx: VariantBoxPx): Size {
  const scale = Math.min(1, boxPx / Math.max(image.width, image.height));
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(image.width), height: scaled(image.height) };
}

export const needsWideCopy = ({ width, height }: Size): boolean =>
  Math.max(width, height) > wideBoxPx;

/**
 * Problems that directories may have with the picture, as text for the show's owner. It is not
 * refused for them.
 */
export function artworkWarnings({ width, height }: Size): string[] {
  const size = `${width} × ${height} pixels`;
  const warnings: string[] = [];
  if (width !== height) {
    warnings.push(`The artwork is not square (${size}); directories crop or reject it.`);
  }
  if (Math.min(width, height) < artworkPx.min) {
    warnings.push(`The artwork is small (${size}); Apple requires at least 1400 × 1400.`);
  }
  if (Math.max(width, height) > artworkPx.max) {
    warnings.push(`The artwork is large (${size}); Apple accepts at most 3000 × 3000.`);
  }
  return warnings;
}
