import { type Context, transact } from '../context.ts';
import type { ChangeEvent } from './change.ts';
import {
  deletePassedEvents,
  lockConsumer,
  lockHeadIfBehind,
  moveConsumer,
  numberEvents,
  selectEventsAfter,
} from './change-events.sql.ts';

const mostNumberedAtOnce = 10_000;

/**
 * Hands the consumer its next changes, at most `limit`; resolves to how many they were. What
 * `handle` does with its context and the step forward are one transaction: each change is handled
 * once, after those before it, also by several processes at a time. What a throw leaves is handed
 * out again. A change may be old news when it is read: `handle` looks at what is so now.
 */
export async function takeChanges(
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
 * An event has no place in the order before it is committed, so that none can turn up before one
 * that was read already. Two that number at the same time do it one after the other.
 */
async function numberChanges(tx: Context): Promise<void> {
  const head = await lockHeadIfBehind(tx.db);
  if (head !== undefined) await numberEvents(tx.db, head, mostNumberedAtOnce);
}
