import { type Context, transact } from '../context.ts';
import { openDays } from './days.ts';
import { deleteBatchesBefore } from './evidence.sql.ts';
import { deleteOldRows, dropDaysBefore, ensureDayPartitions } from './partitions.sql.ts';
import { lockSums } from './sums.sql.ts';

const dayMs = 86_400_000;
/** A process that comes back later than this may count a batch of its journal twice. */
const batchesKeptDays = 90;

/**
 * Removes the evidence, the listeners and the secrets of days that are over for good. Only sums
 * remain of them.
 */
export async function purgeEvidence(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { first, last } = openDays(now);
  await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    await dropDaysBefore(tx.db, first);
    await deleteOldRows(tx.db);
    await deleteBatchesBefore(tx.db, new Date(now.getTime() - batchesKeptDays * dayMs));
    // Made ahead, so that the first request of a day does not wait for it.
    await ensureDayPartitions(tx.db, [last]);
  });
}
