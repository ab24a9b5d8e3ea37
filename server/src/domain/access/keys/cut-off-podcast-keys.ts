import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { getPodcast } from '../../publishing/podcasts/index.ts';
import { revokeKeys } from './keys.sql.ts';
import {
  blockKeys,
  lockKeysThatReach,
  selectKeysWithoutPodcasts,
  selectUsersOfKeys,
} from './reach.sql.ts';

export interface CutOff {
  /** Keys that covered the podcast. */
  readonly blockedKeys: number;
  /** Of these, keys with no podcast left; they are revoked. */
  readonly revokedKeys: number;
}

/**
 * Permanently ends the access of all existing keys to a podcast: keys of its owner, keys for all
 * podcasts, keys of connected sites. Later keys are not affected. Revokes a key that has no podcast
 * left. A site's key is kept, so that its plugin can still learn of the loss.
 */
export async function cutOffPodcastKeys(ctx: Context, podcastId: string): Promise<CutOff> {
  await authorize(ctx, 'keys.cut_off', { podcastId });
  return transact(ctx, async (tx) => {
    const { title } = await getPodcast(tx, podcastId);
    const now = ctx.clock.now();
    const reaching = await lockKeysThatReach(tx.db, podcastId, now);
    const blocked = await blockKeys(tx.db, podcastId, reaching, now);
    const left = await selectKeysWithoutPodcasts(tx.db, blocked);
    const revokedKeys = await revokeKeys(tx.db, left, now);
    await notifyUsers(tx, blocked, title);
    // Sites that showed the podcast learn that they have lost it.
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
    return { blockedKeys: blocked.length, revokedKeys };
  });
}

/** Emails the users of these keys, except the acting user. */
async function notifyUsers(tx: Context, keyIds: readonly string[], podcast: string): Promise<void> {
  const { principal } = tx;
  for (const { id, name, email } of await selectUsersOfKeys(tx.db, keyIds)) {
    if (principal.kind === 'user' && principal.userId === id) continue;
    await queueEmail(tx, { template: 'keys-cut-off', to: email, values: { name, podcast } });
  }
}
