import { utcDayOf } from '../../lib/utc-day.ts';
import { type Context, transact } from '../context.ts';
import type { AudioRequest, RejectionReason } from './audio-request.ts';
import { isOpen, openDays } from './days.ts';
import { insertBatch, insertEvidence } from './evidence.sql.ts';
import { judge } from './judge.ts';
import { addReceipts } from './listeners.sql.ts';
import { ensureDayPartitions } from './partitions.sql.ts';
import { lockSums, touchSums } from './sums.sql.ts';
import { uniteRequests } from './unite-requests.ts';

export interface Batch {
  /** Unique for ever, at most 200 characters: the same batch may be given again after a failure. */
  readonly id: string;
  /** At most a few thousand. */
  readonly requests: readonly AudioRequest[];
}

export interface Ingested {
  /** False: the batch was in the sums already, and nothing has changed. */
  readonly isNew: boolean;
  readonly requests: number;
  /** Downloads that came with this batch; negative if it moved more than it added. */
  readonly counted: number;
  readonly rejected: Readonly<Partial<Record<RejectionReason, number>>>;
}

/**
 * Brings a batch of requests into evidence and sums, whole and once, in a transaction (or the outer
 * one). Batches may come in any order and from any number of processes.
 */
export async function ingestRequests(ctx: Context, { id, requests }: Batch): Promise<Ingested> {
  const now = ctx.clock.now();
  const days = openDays(now);
  const judged = requests.map((request) => judge(ctx.installation.clients, request, days));
  const kept = judged.filter(({ rejected }) => rejected !== 'future');
  const openDaysOfBatch = [...new Set(kept.map(({ at }) => utcDayOf(at)))].filter((day) =>
    isOpen(day, days),
  );
  const receipts = uniteRequests(kept);
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    if (!(await insertBatch(tx.db, id, now)))
      return { isNew: false, requests: 0, counted: 0, rejected: {} };
    if (openDaysOfBatch.length > 0) await ensureDayPartitions(tx.db, openDaysOfBatch);
    if (kept.length > 0) await insertEvidence(tx.db, kept);
    const counted = receipts.length > 0 ? await addReceipts(tx.db, receipts) : 0;
    await touchSums(tx.db, now);
    return { isNew: true, requests: requests.length, counted, rejected: countReasons(judged) };
  });
}

function countReasons(
  judged: readonly { readonly rejected: RejectionReason | null }[],
): Ingested['rejected'] {
  const counts: Partial<Record<RejectionReason, number>> = {};
  for (const { rejected } of judged)
    if (rejected !== null) counts[rejected] = (counts[rejected] ?? 0) + 1;
  return counts;
}
