import { startOfDay } from '../../../lib/utc-day.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { openDays } from './days.ts';
import { deleteBatchesBefore, deleteRequestSumsBefore } from './evidence/evidence.sql.ts';
import { deleteLostLogs } from './logs/logs.sql.ts';
import {
  dropDaysBefore,
  ensureDayPartitions,
  limitLockWaits,
  truncateOldListeners,
} from './partitions.sql.ts';
import { lockSums } from './sums/sums.sql.ts';

export const purgeEvidenceJob = defineJob({
  name: 'purge-download-evidence',
  timeoutSeconds: 600,
  run: (ctx) => purgeEvidence(ctx),
});

const dayMs = 86_400_000;
const maxLockWaitMs = 2_000;
/** A process that comes back later than this may count a batch of its journal twice. */
const batchesKeptDays = 90;

/**
 * Removes the evidence, the listeners and the secrets of days that are over for good, and what the
 * old logs begun on these days have brought. Only sums remain of them. Logs that nobody has followed
 * since then no longer hold back what is complete.
 */
export async function purgeEvidence(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { first, last } = openDays(now);
  await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    // A table that a backup reads cannot be dropped. Counting does not wait for it: the next run drops.
    await limitLockWaits(tx.db, maxLockWaitMs);
    await dropDaysBefore(tx.db, first);
    await truncateOldListeners(tx.db);
    await deleteRequestSumsBefore(tx.db, first);
    await deleteBatchesBefore(tx.db, new Date(now.getTime() - batchesKeptDays * dayMs));
    await deleteLostLogs(tx.db, startOfDay(first));
    // Made ahead, so that the first request of a day does not wait for it.
    await ensureDayPartitions(tx.db, [last]);
  });
}
