import { chunksOf } from '../../../lib/chunks-of.ts';
import { type Context, transact } from '../context.ts';
import type { Db } from '../database.ts';
import { defineJob } from '../job.ts';
import {
  mergeTexts,
  purgeWritten,
  recountTexts,
  selectUncountedTexts,
  selectUnmergedTexts,
} from './storage.sql.ts';

const podcastsAtOnce = 10_000;
/** Of one transaction: what it writes is flushed with the next save, which waits for it. */
const podcastsTogether = 25;

/** Each change of a text and each file has a row: without this, every check would add up more of them. */
export const mergeTextSumsJob = defineJob({
  name: 'merge-text-sums',
  timeoutSeconds: 50,
  async run(ctx, _payload, { signal }) {
    await mergeTextSums(ctx.db, signal);
    await purgeWritten(ctx.db);
    await countTexts(ctx, signal);
  },
});

export async function mergeTextSums(db: Db, signal?: AbortSignal): Promise<void> {
  const podcastIds = await selectUnmergedTexts(db, podcastsAtOnce);
  for (const some of chunksOf(podcastIds, podcastsTogether)) {
    signal?.throwIfAborted();
    await mergeTexts(db, some);
  }
}

/** Once after a migration that changes what counts, and after a restore: one show in a transaction. */
export async function countTexts(ctx: Context, signal?: AbortSignal): Promise<void> {
  for (const podcastId of await selectUncountedTexts(ctx.db, podcastsAtOnce)) {
    signal?.throwIfAborted();
    await transact(ctx, (tx) => recountTexts(tx.db, podcastId));
  }
}
