import { type Context, transact } from '../../../foundation/context.ts';
import { notFound } from '../../../foundation/errors.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { type Action, authorize } from '../../../foundation/permissions/index.ts';
import type { Membership } from '../../../foundation/relation.ts';
import { revise } from '../../../foundation/revisions/index.ts';
import { lockPodcast, updatePodcastColumns } from '../podcasts.sql.ts';

/**
 * Does `work` in a transaction that locks the podcast. All changes to one team queue here, so that
 * nobody uses a role that they lose at the same moment.
 */
export async function changeTeam<T>(
  ctx: Context,
  action: Action,
  podcastId: string,
  work: (tx: Context, manager: Membership) => Promise<T>,
): Promise<T> {
  // Check first: a refused request must not make others wait for the lock.
  await authorize(ctx, action, { podcastId });
  return transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    const { membership } = await authorize(tx, action, { podcastId });
    return work(tx, membership);
  });
}

/** Sets whether the team's keys may read the podcast, from the next request on. */
export async function setTeamKeys(
  ctx: Context,
  { podcastId, allowed }: { readonly podcastId: string; readonly allowed: boolean },
): Promise<void> {
  await changeTeam(ctx, 'team_keys.set', podcastId, async (tx) => {
    await revise(tx, { podcastId }, ['team_keys']);
    await updatePodcastColumns(tx.db, podcastId, { teamKeys: allowed }, tx.clock.now());
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}
