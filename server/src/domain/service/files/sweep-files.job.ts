import type { Context } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { sweepFiles } from './sweep-files.ts';

export const sweepFilesJob = defineJob({
  name: 'sweep-files',
  // Enough for a million files on S3.
  timeoutSeconds: 6 * 3600,
  // Every start of a worker enqueues it, and it lists all files.
  onceInSeconds: 24 * 3600,
  run: (ctx, _payload, { signal }) => sweepDaily(ctx, signal),
});

/**
 * Counts first. If most files would go, the database may be the wrong one: new, or one of two
 * installations that share the store. Then nothing is removed.
 */
export async function sweepDaily(ctx: Context, signal: AbortSignal): Promise<void> {
  const { log } = ctx;
  const { lookedAt, strays } = await sweepFiles(ctx, { dryRun: true, signal });
  if (strays * 2 > lookedAt) {
    const advice =
      'to remove them, run: files sweep; otherwise give each installation its own store';
    log.warn(
      { lookedAt, strays, advice },
      'most stored files are unreferenced, so none were removed',
    );
    return;
  }
  const swept = await sweepFiles(ctx, { signal });
  if (swept.strays + swept.leftovers > 0) log.info(swept, 'removed unreferenced files');
}
