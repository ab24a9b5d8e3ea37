import { type Context, transact } from '../context.ts';
import { queueLetter } from '../letters/index.ts';
import { getPodcast, requireOwner } from '../podcasts/index.ts';
import {
  blockKeys,
  lockKeysThatReach,
  selectKeysWithoutPodcasts,
  selectUsersOfKeys,
} from './cut-off.sql.ts';
import { revokeKeys } from './keys.sql.ts';

export interface CutOff {
  /** Keys that read the podcast until now. */
  readonly blockedKeys: number;
  /** Those of them that named no other. */
  readonly revokedKeys: number;
}

/**
 * Ends, for good, what every key made so far reads of a podcast: the owner's own, those of all
 * podcasts, those of connected sites. Keys made afterwards are not concerned. A key that is left
 * with nothing is revoked; a site's stays, for its plugin has yet to hear what it lost.
 */
export async function cutOffPodcastKeys(ctx: Context, podcastId: string): Promise<CutOff> {
  await requireOwner(ctx, podcastId);
  return transact(ctx, async (tx) => {
    const { title } = await getPodcast(tx, podcastId);
    const now = ctx.clock.now();
    const reaching = await lockKeysThatReach(tx.db, podcastId, now);
    const blocked = await blockKeys(tx.db, podcastId, reaching, now);
    const left = await selectKeysWithoutPodcasts(tx.db, blocked);
    const revokedKeys = await revokeKeys(tx.db, left, now);
    await tellUsers(tx, blocked, title);
    return { blockedKeys: blocked.length, revokedKeys };
  });
}

/** Everyone but whoever did it. */
async function tellUsers(tx: Context, keyIds: readonly string[], podcast: string): Promise<void> {
  const { actor } = tx;
  for (const { id, name, email } of await selectUsersOfKeys(tx.db, keyIds)) {
    if (actor.kind === 'user' && actor.userId === id) continue;
    await queueLetter(tx, { template: 'keys-cut-off', to: email, values: { name, podcast } });
  }
}
