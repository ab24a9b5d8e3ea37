import { once } from 'node:events';
import type { Page } from '../lib/list-page.ts';
import type { CommandIo } from './command-io.ts';

const pageSize = 200;

/**
 * Prints `{"NAME": […]}` page by page, at the speed of the reader, so that a list of any length
 * takes the memory of a page.
 */
export async function printList<Item, Position>(
  io: Pick<CommandIo, 'stdout' | 'signal'>,
  name: string,
  list: (query: { limit: number; after: Position | undefined }) => Promise<Page<Item, Position>>,
  present: (item: Item) => unknown,
): Promise<void> {
  const { stdout, signal } = io;
  let separator = `{${JSON.stringify(name)}:[`;
  let after: Position | undefined;
  do {
    signal.throwIfAborted();
    const page = await list({ limit: pageSize, after });
    const text = page.items.map((item) => {
      const written = separator + JSON.stringify(present(item));
      separator = ',';
      return written;
    });
    if (text.length > 0 && !stdout.write(text.join(''))) await once(stdout, 'drain', { signal });
    after = page.next;
  } while (after !== undefined);
  stdout.write(`${separator === ',' ? '' : separator}]}\n`);
}
