import { announceChange } from '../../changes/index.ts';
import type { Context } from '../../context.ts';
import { updatePodcastColumns } from '../podcasts.sql.ts';
import { requireOwner } from '../require-owner.ts';
import { changeTeam } from './change-team.ts';

/** Whether the team's keys may read the podcast, from the next request on. */
export async function setTeamKeys(
  ctx: Context,
  { podcastId, allowed }: { readonly podcastId: string; readonly allowed: boolean },
): Promise<void> {
  await changeTeam(ctx, podcastId, async (tx) => {
    await requireOwner(tx, podcastId);
    await updatePodcastColumns(tx.db, podcastId, { teamKeys: allowed }, tx.clock.now());
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
  });
}
