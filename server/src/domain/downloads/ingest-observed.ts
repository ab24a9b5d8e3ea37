import { randomBytes } from 'node:crypto';
import type { Geo } from '../../platform/geo/geo.ts';
import { type Context, transact } from '../context.ts';
import { requireOperator } from '../principal.ts';
import { destroySecretOfLog } from './download-secrets.ts';
import { type Batch, ingestBatches } from './ingest-requests.ts';
import { hideListeners } from './logs/hide-listeners.ts';
import type { ObservedRequest } from './observed-request.ts';

const maxBatchRequests = 2_000;

/**
 * Counts requests in one transaction (or the outer one), in batches as they are given, so that
 * memory does not grow with them. Those of days that are over for good get a secret which is
 * destroyed in the end.
 */
export async function ingestObserved(
  ctx: Context,
  geo: Geo,
  observed: Iterable<ObservedRequest>,
  signal?: AbortSignal,
): Promise<{ readonly requests: number; readonly counted: number }> {
  requireOperator(ctx);
  const name = randomBytes(16).toString('hex');
  return await transact(ctx, async (tx) => {
    const { requests, counted } = await ingestBatches(tx, () => hide(tx));
    await destroySecretOfLog(tx, name);
    return { requests, counted };
  });

  async function* hide(tx: Context): AsyncGenerator<Batch> {
    let number = 0;
    for (const batch of batchesOf(observed)) {
      signal?.throwIfAborted();
      const requests = await hideListeners(tx, geo, batch, name);
      yield { id: `observed:${name}:${number}`, requests };
      number += 1;
    }
  }
}

function* batchesOf(observed: Iterable<ObservedRequest>): Generator<ObservedRequest[]> {
  let batch: ObservedRequest[] = [];
  for (const request of observed) {
    batch.push(request);
    if (batch.length < maxBatchRequests) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
