import { randomBytes } from 'node:crypto';
import { chunksOf } from '../../../lib/chunks-of.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { requireOperator } from '../../foundation/principal.ts';
import { hideListeners } from './hide-listeners.ts';
import { type Batch, ingestBatches } from './ingest-requests.ts';
import type { ObservedRequest } from './observed-request.ts';

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
