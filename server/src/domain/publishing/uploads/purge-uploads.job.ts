import type { Context } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { tryEachRow } from '../../foundation/try-each.ts';
import { removeHeld } from './append-to-upload.ts';
import { selectExpiredUploads } from './uploads.sql.ts';
import { claimWriter } from './writer.ts';

const usualLimit = 1_000;

/** Removes uploads that are unfinished or unused, a day after their last bytes. */
export const purgeUploadsJob = defineJob({
  name: 'purge-uploads',
  timeoutSeconds: 1_800,
  run: (ctx, _payload, { signal }) => purgeUploads(ctx, signal),
});

export async function purgeUploads(
  ctx: Context,
  signal?: AbortSignal,
  limit = usualLimit,
): Promise<void> {
  const failed = 'an expired upload was not removed';
  const select = (after: string) => selectExpiredUploads(ctx.db, ctx.clock.now(), { after, limit });
  await tryEachRow(ctx, select, { failed, signal }, (id) => purge(ctx, id));
}

async function purge(ctx: Context, uploadId: string): Promise<void> {
  await using writing = await claimWriter(ctx, uploadId);
  // Its sender may have continued it since.
  if (writing.upload.expiresAt > ctx.clock.now()) return;
  await removeHeld(ctx, writing.upload);
}
