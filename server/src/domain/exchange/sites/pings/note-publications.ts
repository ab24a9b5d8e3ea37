import { type Context, transact } from '../../../foundation/context.ts';
import { lockPublications, makePublishedDue, selectEndOfPublications } from './due.sql.ts';

/** The most publications in one transaction. */
const publicationsAtOnce = 1_000;

/**
 * Makes pings due for episodes that became public since the last call. The outbox has no such
 * changes, because publication writes nothing. After a long absence it works in pieces. If the
 * clock was set back, episodes that are not public any more count as changed too, all at once.
 */
export async function notePublications(
  ctx: Context,
  options: { readonly signal?: AbortSignal; readonly atOnce?: number } = {},
): Promise<void> {
  const { signal, atOnce = publicationsAtOnce } = options;
  for (let isDone = false; !isDone && signal?.aborted !== true; ) {
    isDone = await transact(ctx, (tx) => noteNext(tx, atOnce));
  }
}

/** True if nothing is left, or if another worker is handling it. */
async function noteNext(tx: Context, atOnce: number): Promise<boolean> {
  const from = await lockPublications(tx.db);
  if (from === undefined) return true;
  const now = tx.clock.now();
  const to = await selectEndOfPublications(tx.db, { from, to: now }, atOnce);
  await makePublishedDue(tx.db, { from, to }, now);
  return to.getTime() === now.getTime();
}
