import { type Context, transact } from '../../foundation/context.ts';
import {
  hasPublicationsAfter,
  lockPublicationClock,
  movePublicationClock,
  selectEndOfPublications,
  selectPublishingPodcasts,
} from './publications.sql.ts';

/** The most publications in one transaction. */
const publicationsAtOnce = 1_000;

/** Whether the consumer has a publication to handle. One statement, for frequent checks. */
export function hasNewPublications(ctx: Context, consumer: string): Promise<boolean> {
  return hasPublicationsAfter(ctx.db, consumer, ctx.clock.now());
}

/**
 * Passes the consumer the shows of episodes that became public since its last call. The outbox has
 * no such changes, because publication writes nothing. After a long absence it works in pieces, each
 * in a transaction with the consumer's work. If the clock was set back, episodes that are not public
 * any more count as changed too, all at once.
 */
export async function consumePublications(
  ctx: Context,
  consumer: string,
  handle: (tx: Context, podcastIds: readonly string[]) => Promise<void>,
  options: { readonly signal?: AbortSignal; readonly atOnce?: number } = {},
): Promise<void> {
  const { signal, atOnce = publicationsAtOnce } = options;
  for (let isDone = false; !isDone && signal?.aborted !== true; ) {
    isDone = await transact(ctx, (tx) => consumeNext(tx, consumer, handle, atOnce));
  }
}

/** True if nothing is left, or if another worker is handling it. */
async function consumeNext(
  tx: Context,
  consumer: string,
  handle: (tx: Context, podcastIds: readonly string[]) => Promise<void>,
  atOnce: number,
): Promise<boolean> {
  const now = tx.clock.now();
  const from = await lockPublicationClock(tx.db, consumer, now);
  if (from === undefined) return true;
  const to = await selectEndOfPublications(tx.db, { from, to: now }, atOnce);
  await handle(tx, await selectPublishingPodcasts(tx.db, { from, to }));
  await movePublicationClock(tx.db, consumer, to);
  return to.getTime() === now.getTime();
}
