import { createYielder } from '../../lib/time-slices.ts';

/**
 * A list as JSON, in pieces for `createPayload`. Yields to other tasks between the items, of which
 * each may have some 300 kB.
 */
export async function writeItems<Item>(
  items: readonly Item[],
  write: (item: Item) => string,
): Promise<Buffer[]> {
  const maybeYield = createYielder();
  const pieces = [Buffer.from('[')];
  for (const [index, item] of items.entries()) {
    pieces.push(Buffer.from(`${index === 0 ? '' : ','}${write(item)}`));
    await maybeYield();
  }
  pieces.push(Buffer.from(']'));
  return pieces;
}
