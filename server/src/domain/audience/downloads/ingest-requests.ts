import { randomBytes } from 'node:crypto';
import { chunksOf } from '../../../lib/chunks-of.ts';
import { readAhead } from '../../../lib/read-ahead.ts';
import { createYielder } from '../../../lib/time-slices.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { requireOperator } from '../../foundation/principal.ts';
import type { AudioRequest, RejectionReason } from './audio-request.ts';
import { insertBatch } from './evidence/evidence.sql.ts';
import { EvidenceWriter, mostEvidenceBytes } from './evidence/evidence-writer.ts';
import { hideListeners } from './hide-listeners.ts';
import type { ObservedRequest } from './observed-request.ts';
import { DeliveredDownloads } from './receipts/delivered-downloads.ts';
import { mergeReceipts } from './receipts/merge-receipts.ts';
import { ReceiptCollector } from './receipts/receipt-collector.ts';
import { addDifferences } from './sums/add-differences.ts';
import { Differences } from './sums/differences.ts';
import { lockSums, touchSums } from './sums/sums.sql.ts';

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
  /** Downloads of days that are over, which were counted already when the audio was sent. */
  readonly alreadyCounted: number;
  /** Requests that may count and whose details are not kept, because the evidence of their day is full. */
  readonly withoutDetails: number;
}

export interface IngestOptions {
  /** Whether this service has sent the audio itself; default false. */
  readonly isDelivery?: boolean;
  /** The limit for the evidence of a day; for tests. */
  readonly mostEvidenceBytes?: number;
}

/** How many requests update the sums together: memory does not grow with the number of batches. */
const requestsPerUpdate = 50_000;

/** As `ingestBatches`, with one batch. */
export function ingestRequests(
  ctx: Context,
  batch: Batch,
  options?: IngestOptions,
): Promise<Ingested> {
  return ingestBatches(ctx, () => [batch], options);
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
  options: IngestOptions = {},
): Promise<Ingested> {
  const now = ctx.clock.now();
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    const { mostEvidenceBytes: mostBytes = mostEvidenceBytes } = options;
    await using evidence = new EvidenceWriter(tx, now, mostBytes);
    const rejected: Partial<Record<RejectionReason, number>> = {};
    let collector = new ReceiptCollector();
    let [newBatches, requests, counted, alreadyCounted] = [0, 0, 0, 0];
    const addCollected = async () => {
      const added = await addReceipts(tx, collector, options);
      counted += added.counted;
      alreadyCounted += added.alreadyCounted;
      collector = new ReceiptCollector();
      evidence.clearListeners();
    };
    const maybeYield = createYielder();
    // While the database writes a batch, the next one is read and classified.
    for await (const batch of readAhead(batches())) {
      const classified = evidence.classify(batch.requests);
      if (!(await insertBatch(tx.db, batch.id, now))) continue;
      const prepared = await evidence.prepare(classified, collector.receipts);
      await evidence.write(prepared);
      newBatches += 1;
      for (const request of prepared.classified) {
        requests += request.requests;
        if (request.rejected !== null)
          rejected[request.rejected] = (rejected[request.rejected] ?? 0) + request.requests;
      }
      for (const request of prepared.kept) {
        collector.add(request);
        const pause = maybeYield();
        if (pause !== undefined) await pause;
      }
      if (collector.requests < requestsPerUpdate) continue;
      await addCollected();
    }
    await evidence.end();
    await addCollected();
    if (newBatches > 0) await touchSums(tx.db, now);
    const withoutDetails = [...evidence.leftOut.values()].reduce((sum, n) => sum + n, 0);
    return { newBatches, requests, counted, rejected, alreadyCounted, withoutDetails };
  });
}

/** Returns the numbers of downloads. */
async function addReceipts(
  { db }: Context,
  collector: ReceiptCollector,
  { isDelivery = false }: IngestOptions,
): Promise<Pick<Ingested, 'counted' | 'alreadyCounted'>> {
  const differences = new Differences();
  const delivered = await DeliveredDownloads.read(db, collector.receipts);
  for (const [day, listeners] of await collector.byDay())
    await mergeReceipts(db, { day, listeners }, delivered.unite, differences);
  await delivered.save(db);
  await addDifferences(db, differences, { isDelivery });
  return { counted: differences.downloads, alreadyCounted: delivered.found };
}

const maxBatchRequests = 2_000;

/**
 * Counts requests in one transaction (or the outer one), in batches as they are given, so that
 * memory does not grow with them. For days that are over for good, listeners are hashed with a secret
 * that is stored nowhere. `observed` is called again when the transaction is tried again.
 */
export async function ingestObserved(
  ctx: Context,
  geo: Geo,
  observed: () => Iterable<ObservedRequest>,
  signal?: AbortSignal,
): Promise<{ readonly requests: number; readonly counted: number }> {
  requireOperator(ctx);
  const name = randomBytes(16).toString('hex');
  const secret = randomBytes(32);
  const { requests, counted } = await transact(ctx, (tx) => ingestBatches(tx, () => hide(tx)));
  return { requests, counted };

  async function* hide(tx: Context): AsyncGenerator<Batch> {
    let number = 0;
    for (const batch of chunksOf(observed(), maxBatchRequests)) {
      signal?.throwIfAborted();
      const requests = await hideListeners(tx, geo, batch, secret);
      yield { id: `observed:${name}:${number}`, requests };
      number += 1;
    }
  }
}
