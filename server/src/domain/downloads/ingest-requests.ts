import { utcDayOf } from '../../lib/utc-day.ts';
import { type Context, transact } from '../context.ts';
import type { AudioRequest, RejectionReason } from './audio-request.ts';
import { isOpen, openDays } from './days.ts';
import { insertBatch, insertEvidence } from './evidence.sql.ts';
import { judge } from './judge.ts';
import { addStagedReceipts, prepareIncoming, stageReceipts } from './listeners.sql.ts';
import { ensureDayPartitions } from './partitions.sql.ts';
import { type Receipt, ReceiptBook } from './receipt-book.ts';
import { lockSums, touchSums } from './sums.sql.ts';

export interface Batch {
  /** Unique for ever, at most 200 characters: the same batch may be given again after a failure. */
  readonly id: string;
  /** At most a few thousand. */
  readonly requests: readonly AudioRequest[];
}

export interface Ingested {
  /** Batches that were not in the sums yet. The others have changed nothing. */
  readonly newBatches: number;
  readonly requests: number;
  /** Downloads that came with these batches; negative if they moved more than they added. */
  readonly counted: number;
  readonly rejected: Readonly<Partial<Record<RejectionReason, number>>>;
}

/** So many requests change the sums together: memory does not grow with the number of batches. */
const requestsOfTurn = 50_000;
const receiptsAtOnce = 2_000;

/** As `ingestBatches`, with one batch. */
export function ingestRequests(ctx: Context, batch: Batch): Promise<Ingested> {
  return ingestBatches(ctx, () => [batch]);
}

/**
 * Brings batches of requests into evidence and sums, whole and once, in one transaction (or the
 * outer one). They may come in any order and from any number of processes. The sums change once for
 * all of them, or for each 50,000 requests: many small batches cost less together. `batches` is
 * called again when the transaction is tried again.
 */
export async function ingestBatches(
  ctx: Context,
  batches: () => Iterable<Batch> | AsyncIterable<Batch>,
): Promise<Ingested> {
  const now = ctx.clock.now();
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    const rejected: Partial<Record<RejectionReason, number>> = {};
    let book = new ReceiptBook();
    let [newBatches, requests, counted] = [0, 0, 0];
    for await (const batch of batches()) {
      if (!(await insertBatch(tx.db, batch.id, now))) continue;
      newBatches += 1;
      for (const request of batch.requests) requests += request.requests;
      await addEvidence(tx, batch.requests, { now, book, rejected });
      if (book.requests < requestsOfTurn) continue;
      counted += await addReceipts(tx, book);
      book = new ReceiptBook();
    }
    counted += await addReceipts(tx, book);
    if (newBatches > 0) await touchSums(tx.db, now);
    return { newBatches, requests, counted, rejected };
  });
}

interface Ingestion {
  readonly now: Date;
  readonly book: ReceiptBook;
  readonly rejected: Partial<Record<RejectionReason, number>>;
}

async function addEvidence(
  { db, installation }: Context,
  given: readonly AudioRequest[],
  { now, book, rejected: counts }: Ingestion,
): Promise<void> {
  const days = openDays(now);
  const judged = given.map((request) => judge(installation.clients, request, days));
  for (const { rejected, requests } of judged)
    if (rejected !== null) counts[rejected] = (counts[rejected] ?? 0) + requests;
  const kept = judged.filter(({ rejected }) => rejected !== 'future');
  if (kept.length === 0) return;
  const openDaysOfBatch = [...new Set(kept.map(({ at }) => utcDayOf(at)))].filter((day) =>
    isOpen(day, days),
  );
  if (openDaysOfBatch.length > 0) await ensureDayPartitions(db, openDaysOfBatch);
  book.add(kept);
  await insertEvidence(db, kept);
}

async function addReceipts({ db }: Context, book: ReceiptBook): Promise<number> {
  let staged: Receipt[] = [];
  let any = false;
  const stage = async () => {
    if (!any) await prepareIncoming(db);
    any = true;
    await stageReceipts(db, staged);
    staged = [];
  };
  for (const receipt of book.receipts()) {
    staged.push(receipt);
    if (staged.length === receiptsAtOnce) await stage();
  }
  if (staged.length > 0) await stage();
  return any ? await addStagedReceipts(db) : 0;
}
