import { type UtcDay, utcDayOf } from '../../lib/utc-day.ts';
import { type Context, transact } from '../context.ts';
import type { Db } from '../database.ts';
import type { AudioRequest, RejectionReason } from './audio-request.ts';
import { isOpen, openDays } from './days.ts';
import { insertBatch, insertEvidence, lockPodcasts } from './evidence.sql.ts';
import { judge } from './judge.ts';
import { addStagedReceipts, prepareIncoming, stageReceipts } from './listeners.sql.ts';
import { ensureDayPartitions } from './partitions.sql.ts';
import { type JudgedRequest, type Receipt, ReceiptBook } from './receipt-book.ts';
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
    const ingestion = { now, rejected, podcasts: new Map(), daysWithPartitions: new Set<UtcDay>() };
    let book = new ReceiptBook();
    let [newBatches, requests, counted] = [0, 0, 0];
    for await (const batch of batches()) {
      if (!(await insertBatch(tx.db, batch.id, now))) continue;
      newBatches += 1;
      for (const request of batch.requests) requests += request.requests;
      book.add(await addEvidence(tx, batch.requests, ingestion));
      if (book.requests < requestsOfTurn) continue;
      counted += await addReceipts(tx, book);
      book = new ReceiptBook();
    }
    counted += await addReceipts(tx, book);
    if (newBatches > 0) await touchSums(tx.db, now);
    return { newBatches, requests, counted, rejected };
  });
}

/** What a transaction has brought so far, and what it need not ask twice. */
interface Ingestion {
  readonly now: Date;
  readonly rejected: Partial<Record<RejectionReason, number>>;
  /** Whether they exist. */
  readonly podcasts: Map<string, boolean>;
  readonly daysWithPartitions: Set<UtcDay>;
}

/** Returns the requests that are now evidence. Those for podcasts that are gone are left out. */
async function addEvidence(
  { db, installation }: Context,
  given: readonly AudioRequest[],
  ingestion: Ingestion,
): Promise<readonly JudgedRequest[]> {
  const days = openDays(ingestion.now);
  const counts = ingestion.rejected;
  const judged = given.map((request) => judge(installation.clients, request, days));
  for (const { rejected, requests } of judged)
    if (rejected !== null) counts[rejected] = (counts[rejected] ?? 0) + requests;
  await findPodcasts(db, judged, ingestion.podcasts);
  const kept = judged.filter(
    ({ rejected, podcastId }) => rejected !== 'future' && ingestion.podcasts.get(podcastId),
  );
  if (kept.length === 0) return [];
  const wanted = new Set(kept.map(({ at }) => utcDayOf(at)).filter((day) => isOpen(day, days)));
  const missing = [...wanted].filter((day) => !ingestion.daysWithPartitions.has(day));
  if (missing.length > 0) await ensureDayPartitions(db, missing);
  for (const day of missing) ingestion.daysWithPartitions.add(day);
  await insertEvidence(db, kept);
  return kept;
}

async function findPodcasts(
  db: Db,
  requests: readonly AudioRequest[],
  known: Map<string, boolean>,
): Promise<void> {
  const unknown = new Set<string>();
  for (const { podcastId } of requests) if (!known.has(podcastId)) unknown.add(podcastId);
  if (unknown.size === 0) return;
  for (const id of unknown) known.set(id, false);
  for (const id of await lockPodcasts(db, [...unknown])) known.set(id, true);
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
