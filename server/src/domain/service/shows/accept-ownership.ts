import { deleteFromSiteKeys } from '../../access/keys/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { moveToNewOwner } from '../../publishing/podcasts/index.ts';

/**
 * Moves the podcast to the signed-in user's account, and takes it from the sites that its old owner has
 * connected. As an admin, the old owner may add it again.
 */
export async function acceptOwnership(
  ctx: Context,
  response: { readonly token: string; readonly teamKeys: boolean },
): Promise<{ readonly podcastId: string }> {
  return transact(ctx, async (tx) => {
    const { podcastId, previousUserId } = await moveToNewOwner(tx, response);
    await deleteFromSiteKeys(tx.db, previousUserId, podcastId);
    return { podcastId };
  });
}
