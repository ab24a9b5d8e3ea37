import { type Context, transact } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { getActingMembership } from '../acting-membership.ts';
import { lockPodcast } from '../podcasts.sql.ts';
import type { Membership } from '../roles.ts';

/**
 * Does `work` in a transaction that holds the podcast: whatever changes one team queues here, so
 * that nobody acts by a role that they lose at the same moment.
 */
export function changeTeam<T>(
  ctx: Context,
  podcastId: string,
  work: (tx: Context, actor: Membership) => Promise<T>,
): Promise<T> {
  return transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    return work(tx, await getActingMembership(tx, podcastId));
  });
}
