interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * A function for one item that passes items on together: those of the same turn, those that came while
 * `work` was busy with others, and those of the pause after that. `work` resolves to a result for each
 * item, in their order. If it fails for several, it's called for each alone, so it must store all of
 * them or none.
 */
export function inBatches<Item, Result>(
  { mostAtOnce, pauseMs = 0 }: { readonly mostAtOnce: number; readonly pauseMs?: number },
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  let nextAtMs = Number.NEGATIVE_INFINITY;
  const run = async () => {
    await settle(waiting.splice(0, mostAtOnce), work);
    nextAtMs = performance.now() + pauseMs;
    if (waiting.length > 0) startSoon();
    else isRunning = false;
  };
  const startSoon = () => {
    const inMs = waiting.length < mostAtOnce ? nextAtMs - performance.now() : 0;
    if (inMs > 0) setTimeout(run, inMs);
    else setImmediate(run);
  };
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    if (!isRunning) {
      isRunning = true;
      startSoon();
    }
    return promise;
  };
}

async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (batch.length > 1) await Promise.all(batch.map((one) => settle([one], work)));
    else for (const { reject } of batch) reject(error);
  }
}
