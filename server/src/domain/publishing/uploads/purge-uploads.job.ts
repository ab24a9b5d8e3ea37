import { BlobStoreAwayError } from '../../../platform/blob-store/blob-store.ts';
import type { Context } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { removeHeld } from './append-to-upload.ts';
import { selectExpiredUploads } from './uploads.sql.ts';
import { claimWriter } from './writer.ts';

const atOnce = 1_000;

/** Removes uploads that are unfinished or unused, a day after their last bytes. */
export const purgeUploadsJob = defineJob({
  name: 'purge-uploads',
  timeoutSeconds: 1_800,
  run: (ctx, _payload, { signal }) => purgeUploads(ctx, signal),
});

export async function purgeUploads(ctx: Context, signal?: AbortSignal): Promise<void> {
  for (const { id } of await selectExpiredUploads(ctx.db, ctx.clock.now(), atOnce)) {
    signal?.throwIfAborted();
    await purge(ctx, id).catch((err: unknown) => {
      // It would take as long for each of them.
      if (err instanceof BlobStoreAwayError) throw err;
      ctx.log.warn({ err }, 'an expired upload was not removed');
    });
  }
}

async function purge(ctx: Context, uploadId: string): Promise<void> {
  await using writing = await claimWriter(ctx, uploadId);
  // Its sender may have continued it since.
  if (writing.upload.expiresAt > ctx.clock.now()) return;
  await removeHeld(ctx, writing.upload);
}
