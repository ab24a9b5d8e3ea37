import { artworkPx } from '../../../server/src/lib/limits.ts';

/** Pictures for covers: their problems, and how the browser corrects them. */

export interface Picture {
  readonly bitmap: ImageBitmap;
  readonly width: number;
  readonly height: number;
}

/** Undefined if the browser cannot read it as a picture. */
export async function readPicture(file: Blob): Promise<Picture | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    return { bitmap, width: bitmap.width, height: bitmap.height };
  } catch {
    return undefined;
  }
}

export interface CoverFlaws {
  readonly isNotSquare: boolean;
  readonly isSmall: boolean;
  readonly isLarge: boolean;
}

/** The problems that directories object to. */
export function findFlaws({ width, height }: Pick<Picture, 'width' | 'height'>): CoverFlaws {
  return {
    isNotSquare: width !== height,
    isSmall: Math.min(width, height) < artworkPx.min,
    isLarge: Math.max(width, height) > artworkPx.max,
  };
}

/** The square in the middle, at most of the largest size that directories accept. */
export function middleSquare({ width, height }: Pick<Picture, 'width' | 'height'>) {
  const side = Math.min(width, height);
  return {
    left: Math.floor((width - side) / 2),
    top: Math.floor((height - side) / 2),
    side,
    drawnSide: Math.min(side, artworkPx.max),
  };
}

/**
 * The version of a photo that is sent: its middle if it is not square or too large; undefined: it
 * is no picture.
 */
export async function squareOf(file: File): Promise<File | undefined> {
  const picture = await readPicture(file);
  if (picture === undefined) return undefined;
  const { isNotSquare, isLarge } = findFlaws(picture);
  return isNotSquare || isLarge ? nameAs(file, await cropToSquare(picture)) : file;
}

/** A changed picture with the name and date of its file, which identify it if it is chosen again. */
export function nameAs({ name, lastModified }: File, changed: Blob): File {
  return new File([changed], name, { type: changed.type, lastModified });
}

const jpegQuality = 0.92;

/** The middle of the picture as a JPEG. */
export async function cropToSquare(picture: Picture): Promise<Blob> {
  const { left, top, side, drawnSide } = middleSquare(picture);
  const canvas = new OffscreenCanvas(drawnSide, drawnSide);
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error('the browser draws no pictures');
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(picture.bitmap, left, top, side, side, 0, 0, drawnSide, drawnSide);
  return await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
}
