import type { Context } from '../../../foundation/context.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { revise } from '../../../foundation/revisions/index.ts';
import { updatePodcastColumns } from '../podcasts.sql.ts';
import { changeTeam } from './change-team.ts';

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
