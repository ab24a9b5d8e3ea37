import type { SharpConstructor } from 'sharp';
import { comfortableImageBytes, type Size } from './image.ts';
import { measureSimilarity } from './measure-similarity.ts';

/** Below the last one, edges in lettering get visible shadows. */
const qualities = [95, 88, 80, 72];
/** Of 1 for equal pictures. Above it, one does not see the difference without magnifying. */
const minSimilarity = 0.95;

export interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 3;
}

/**
 * The picture as a JPEG of the same size in pixels and at most `comfortableImageBytes`; undefined if
 * it would lose visibly, as noise does.
 */
export async function tryShrinkPicture(
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
