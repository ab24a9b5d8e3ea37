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
 * is not a picture.
 */
export async function squareOf(file: File): Promise<File | undefined> {
  const picture = await readPicture(file);
  if (picture === undefined) return undefined;
  const { isNotSquare, isLarge } = findFlaws(picture);
  return isNotSquare || isLarge ? nameAs(file, await cropToSquare(picture)) : file;
}

/** Wider than most screens' halves; a veil covers most of it. */
const bannerPx = 2000;

/** The version of a header picture that is sent: smaller if it is larger than any screen needs. */
export async function bannerOf(file: File): Promise<File | undefined> {
  const picture = await readPicture(file);
  if (picture === undefined) return undefined;
  const { bitmap, width, height } = picture;
  const scale = bannerPx / Math.max(width, height);
  if (scale >= 1) return file;
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return nameAs(
    file,
    await draw(size, (drawing) => drawing.drawImage(bitmap, 0, 0, size.width, size.height)),
  );
}

/** A changed picture with the name and date of its file, which identify it if it is chosen again. */
export function nameAs({ name, lastModified }: File, changed: Blob): File {
  return new File([changed], name, { type: changed.type, lastModified });
}

const jpegQuality = 0.92;

/** The middle of the picture as a JPEG. */
export async function cropToSquare(picture: Picture): Promise<Blob> {
  const { left, top, side, drawnSide } = middleSquare(picture);
  return await draw({ width: drawnSide, height: drawnSide }, (drawing) =>
    drawing.drawImage(picture.bitmap, left, top, side, side, 0, 0, drawnSide, drawnSide),
  );
}

async function draw(
  { width, height }: Pick<Picture, 'width' | 'height'>,
  paint: (drawing: OffscreenCanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error('the browser draws no pictures');
  drawing.imageSmoothingQuality = 'high';
  paint(drawing);
  return await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
}
