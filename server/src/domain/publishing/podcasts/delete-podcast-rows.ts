import { type Context, transact } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import type { Podcast } from './podcast.ts';
import { deletePodcastRow, lockPodcast } from './podcasts.sql.ts';
import { getPodcast } from './update-podcast.ts';

/**
 * Deletes the podcast's rows and all that belongs to it; its slugs stay taken permanently. `deletePodcast`
 * of `shows` calls this after it has deleted the episodes.
 */
export async function deletePodcastRows(ctx: Context, podcastId: string): Promise<Podcast> {
  return transact(ctx, async (tx) => {
    await lockForDeletion(tx, podcastId);
    const podcast = await getPodcast(tx, podcastId);
    await deletePodcastRow(tx.db, podcastId);
    await announceChange(tx, { kind: 'podcast.deleted', podcastId });
    return podcast;
  });
}

/**
 * Throws if the caller may not delete the podcast; locks it, so that nothing more is added to it.
 */
export async function lockForDeletion(tx: Context, podcastId: string): Promise<void> {
  await authorize(tx, 'podcast.delete', { podcastId });
  if ((await lockPodcast(tx.db, podcastId, { asAWhole: true })) === undefined) {
    throw notFound('podcast');
  }
}
