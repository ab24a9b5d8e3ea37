import { setImmediate } from 'node:timers/promises';

/**
 * Asks for each item while its reader works on the one before, so that both go on at once. Asks for
 * at most one more than is taken.
 */
export async function* readAhead<Item>(
  source: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Awaited<Item>> {
  const items = iterate(source);
  try {
    let next = items.next();
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = items.next();
      // Its failure is that of the next turn of this loop, if there is one.
      next.catch(() => undefined);
      // So that it begins before its reader keeps the event loop busy.
      await setImmediate();
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}

async function* iterate<Item>(source: Iterable<Item> | AsyncIterable<Item>) {
  yield* source;
}
