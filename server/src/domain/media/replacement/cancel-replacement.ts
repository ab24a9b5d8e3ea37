import { type Context, transact } from '../../context.ts';
import { requireFound } from '../../errors.ts';
import { authorize } from '../../permissions/index.ts';
import { deleteOldAudio } from '../attach-audio.ts';
import { deleteExpiredReplacements, deleteReplacement } from './replacements.sql.ts';

/** Deletes a proposal with its file. Throws not_found if it is gone. */
export async function cancelReplacement(
  ctx: Context,
  episodeId: string,
  id: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await authorize(tx, 'episode.edit', { episodeId });
    const blobKey = requireFound(await deleteReplacement(tx.db, episodeId, id), 'replacement');
    await deleteOldAudio(tx, blobKey);
  });
}

/** Deletes proposals that nobody has accepted for a day. */
export async function purgeReplacements(ctx: Context): Promise<void> {
  const keys = await deleteExpiredReplacements(ctx.db, ctx.clock.now());
  for (const key of keys) await ctx.blobs.delete(key);
}
