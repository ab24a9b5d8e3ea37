import { type Context, transact } from '../context.ts';
import type { ChangeEvent } from './change.ts';
import {
  deletePassedEvents,
  hasEventsAfterConsumer,
  lockConsumer,
  lockHeadIfBehind,
  moveConsumer,
  numberEvents,
  selectEventsAfter,
} from './change-events.sql.ts';

const mostNumberedAtOnce = 10_000;

/** Whether the consumer has a change to read. One statement, for frequent checks. */
export function hasUnreadChanges(ctx: Context, consumer: string): Promise<boolean> {
  return hasEventsAfterConsumer(ctx.db, consumer);
}

/**
 * Passes the consumer its next changes, at most `limit`; resolves to their number. The work of
 * `handle` and the new position are one transaction, so each change is handled once and in order,
 * also by several processes. If `handle` throws, the changes are passed again. A change may be
 * outdated: `handle` reads the present state.
 */
export async function consumeChanges(
  ctx: Context,
  consumer: string,
  limit: number,
  handle: (ctx: Context, changes: readonly ChangeEvent[]) => Promise<void>,
): Promise<number> {
  await transact(ctx, numberChanges);
  return transact(ctx, async (tx) => {
    const passed = await lockConsumer(tx.db, consumer);
    const changes = await selectEventsAfter(tx.db, passed, limit);
    const last = changes.at(-1);
    if (last === undefined) return 0;
    await handle(tx, changes);
    await moveConsumer(tx.db, consumer, last.seq);
    await deletePassedEvents(tx.db);
    return changes.length;
  });
}

/**
 * Events get their numbers only after they are committed, so that none appears before one that was
 * already read. Concurrent calls queue.
 */
async function numberChanges(tx: Context): Promise<void> {
  const head = await lockHeadIfBehind(tx.db);
  if (head !== undefined) await numberEvents(tx.db, head, mostNumberedAtOnce);
}
