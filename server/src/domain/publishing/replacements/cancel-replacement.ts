import { type Context, transact } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { deleteExpiredReplacements, deleteReplacement } from './replacements.sql.ts';

/** Deletes a proposal. Throws not_found if it is gone. */
export async function cancelReplacement(
  ctx: Context,
  episodeId: string,
  id: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await authorize(tx, 'episode.edit', { episodeId });
    requireFound(await deleteReplacement(tx.db, episodeId, id), 'replacement');
  });
}

/** Deletes proposals that nobody has accepted for a day. */
export async function purgeReplacements(ctx: Context): Promise<void> {
  await deleteExpiredReplacements(ctx.db, ctx.clock.now());
}
