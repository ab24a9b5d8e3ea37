import { nilId } from '../../lib/uuid.ts';
import { BlobStoreAwayError } from '../../platform/blob-store/blob-store.ts';
import type { Context } from './context.ts';

interface Trying {
  /** For the log. */
  readonly failed: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does this for one after the other, also after those that fail: none of them holds up those behind it. Those
 * are logged. Rejects when the signal aborts, and while the file store is away: that would
 * take as long for each of them.
 */
export async function tryEach<T>(
  { log }: Pick<Context, 'log'>,
  items: Iterable<T>,
  { failed, signal }: Trying,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    signal?.throwIfAborted();
    await work(item).catch((err: unknown) => {
      if (err instanceof BlobStoreAwayError) throw err;
      signal?.throwIfAborted();
      log.warn({ err }, failed);
    });
  }
}

/** The same for rows that are read a part at a time: `select` has the next ids that follow `after`, in order. */
export async function tryEachRow(
  ctx: Pick<Context, 'log'>,
  select: (after: string) => Promise<readonly string[]>,
  trying: Trying,
  work: (id: string) => Promise<void>,
): Promise<void> {
  for (let after: string | undefined = nilId; after !== undefined; ) {
    const ids = await select(after);
    await tryEach(ctx, ids, trying, work);
    after = ids.at(-1);
  }
}
