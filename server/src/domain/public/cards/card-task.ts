import { readWhole } from '../../foundation/read-foreign.ts';
import type { Card } from './card.ts';
import { drawCard } from './draw-card.ts';

/** In a child process: draws a card. The only file is its cover, if it has one. */
export async function* card(
  input: Card,
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<Buffer> {
  const cover = await readWhole(files);
  yield await drawCard(input, cover.length === 0 ? undefined : cover);
}
