import { readWhole } from '../../foundation/read-foreign.ts';
import type { ImageVariant, PreparedImage } from './image.ts';
import { readImage } from './read-image.ts';

/** First everything but bytes; then those of the picture; then those of each variant. */
export type PictureParts = [
  Omit<PreparedImage, 'bytes' | 'variants'> & {
    readonly variants: readonly Omit<ImageVariant, 'bytes'>[];
  },
  Buffer,
  ...Buffer[],
];

/** In a child process: makes a picture ready to be published. */
export async function* picture(
  _: unknown,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<PictureParts[number]> {
  const { bytes, variants, ...image } = await readImage(await readWhole(files));
  const sizes = variants.map(({ bytes: _bytes, ...size }) => size);
  yield { ...image, variants: sizes };
  yield bytes;
  for (const variant of variants) yield variant.bytes;
}
