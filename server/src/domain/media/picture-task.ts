import { readWhole } from '../read-foreign.ts';
import type { ImageVariant, PreparedImage } from './image.ts';
import { readImage } from './read-image.ts';

/** First everything but bytes; then those of each variant; then those of the picture, if new. */
export type PictureParts = [
  Omit<PreparedImage, 'bytes' | 'variants'> & {
    readonly isKept: boolean;
    readonly variants: readonly Omit<ImageVariant, 'bytes'>[];
  },
  ...Uint8Array[],
];

/** In a child process: makes a picture ready to be published. */
export async function* picture(
  _: unknown,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<PictureParts[number]> {
  const input = await readWhole(files);
  const { bytes, variants, ...image } = await readImage(input);
  const isKept = bytes === input;
  const sizes = variants.map(({ bytes: _bytes, ...size }) => size);
  yield { ...image, isKept, variants: sizes };
  for (const variant of variants) yield variant.bytes;
  if (!isKept) yield bytes;
}
