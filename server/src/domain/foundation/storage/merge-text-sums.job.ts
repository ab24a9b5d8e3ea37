import { chunksOf } from '../../../lib/chunks-of.ts';
import { type Context, transact } from '../context.ts';
import { defineJob } from '../job.ts';
import { tryEach, tryEachRow } from '../try-each.ts';
import {
  mergeTexts,
  purgeWritten,
  recountTexts,
  selectUncountedTexts,
  selectUnmergedTexts,
} from './storage.sql.ts';

const podcastsAtOnce = 10_000;
/** If all of them fail, each is logged. */
const countedAtOnce = 100;
/** Of one transaction: what it writes is flushed with the next save, which waits for it. */
const podcastsTogether = 25;

/** Each change of a text and each file has a row: without this, every check would add up more of them. */
export const mergeTextSumsJob = defineJob({
  name: 'merge-text-sums',
  timeoutSeconds: 50,
  async run(ctx, _payload, { signal }) {
    await mergeTextSums(ctx, signal);
    await purgeWritten(ctx.db);
    await countTexts(ctx, signal);
  },
});

export async function mergeTextSums(ctx: Context, signal?: AbortSignal): Promise<void> {
  const podcastIds = await selectUnmergedTexts(ctx.db, podcastsAtOnce);
  const failed = 'the sizes of texts were not added up';
  const parts = chunksOf(podcastIds, podcastsTogether);
  await tryEach(ctx, parts, { failed, signal }, (some) => mergeTexts(ctx.db, some));
}

/** Once after a migration that changes what counts, and after a restore: one show in a transaction. */
export async function countTexts(ctx: Context, signal?: AbortSignal): Promise<void> {
  const failed = 'the texts of a show were not counted';
  const select = (after: string) => selectUncountedTexts(ctx.db, after, countedAtOnce);
  await tryEachRow(ctx, select, { failed, signal }, (podcastId) =>
    transact(ctx, (tx) => recountTexts(tx.db, podcastId)),
  );
}
