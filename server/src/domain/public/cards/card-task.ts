import { readWhole } from '../../foundation/read-foreign.ts';
import type { Card } from './card.ts';
import { drawCard } from './draw-card.ts';

/** In a child process: draws a card. `fonts`: files beside those that are shipped. The only file is its cover, if any. */
export async function* draw(
  { card, fonts }: { readonly card: Card; readonly fonts: readonly string[] },
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<Buffer> {
  const cover = await readWhole(files);
  yield await drawCard(card, cover.length === 0 ? undefined : cover, fonts);
}
