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
 * Counts first. If the database has no record of most audio and pictures, it may be the wrong one: new, or
 * one of two installations that share the store. Then nothing is removed. Files that it has noted are its
 * own. Uploads and documents of imports don't count: they stay behind when an episode is deleted or a
 * process is killed, so an account could leave more of them than there are other files.
 */
export async function sweepDaily(ctx: Context, signal: AbortSignal): Promise<void> {
  const { log } = ctx;
  const counted = await sweepFiles(ctx, { dryRun: true, signal });
  if (counted.unknownMedia * 2 > counted.media) {
    const advice =
      'to remove them, run: files sweep; otherwise give each installation its own store';
    log.warn(
      { ...counted, advice },
      'the database has no record of most audio and pictures, so no files were removed',
    );
    return;
  }
  const swept = await sweepFiles(ctx, { signal });
  if (swept.strays + swept.leftovers > 0) log.info(swept, 'removed unreferenced files');
}
