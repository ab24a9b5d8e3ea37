import { readWhole } from '../../foundation/read-foreign.ts';
import type { ImageVariant, PreparedImage } from './image.ts';
import { type ImageUse, readImage } from './read-image.ts';

/** What comes first: everything but bytes, and how many there are of the picture and of each variant. */
export type PictureFacts = Omit<PreparedImage, 'bytes' | 'variants'> & {
  readonly variants: readonly Omit<ImageVariant, 'bytes'>[];
  readonly fileSizes: readonly number[];
};

/** Small enough that receiving it does not block the parent. */
const pieceBytes = 64 * 1024;

/** In a child process: makes a picture ready to be published. Then come its bytes and those of its variants. */
export async function* picture(
  use: ImageUse | undefined,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<PictureFacts | Buffer> {
  const { bytes, variants, ...image } = await readImage(await readWhole(files), use);
  const made = [bytes, ...variants.map((variant) => variant.bytes)];
  const sizes = variants.map(({ bytes: _bytes, ...size }) => size);
  yield { ...image, variants: sizes, fileSizes: made.map(({ length }) => length) };
  for (const file of made) {
    for (let at = 0; at < file.length; at += pieceBytes) yield file.subarray(at, at + pieceBytes);
  }
}
