import { type Context, transact } from '../context.ts';
import { deleteEpisodesOfPodcast } from '../episodes/index.ts';
import { deletePodcastRows, lockForDeletion, type Podcast } from '../podcasts/index.ts';
import { forgetStorage } from '../storage/index.ts';

// Deleting many episodes with one statement would exceed its time limit.
const episodesAtOnce = 200;

export interface DeletedPodcast {
  readonly podcast: Podcast;
  readonly episodes: number;
}

/**
 * Deletes a podcast with its episodes, people and everything else, in one transaction. Its files are
 * swept later.
 */
export async function deletePodcast(
  ctx: Context,
  podcastId: string,
  /** Runs first in the transaction. If it throws, nothing is deleted. */
  begin?: (tx: Context) => Promise<void>,
): Promise<DeletedPodcast> {
  return await transact(ctx, async (tx) => {
    await begin?.(tx);
    await lockForDeletion(tx, podcastId);
    await forgetStorage(tx.db, podcastId);
    const episodes = await deleteEpisodes(tx, podcastId);
    return { podcast: await deletePodcastRows(tx, podcastId), episodes };
  });
}

/** How many there were. */
async function deleteEpisodes({ db }: Context, podcastId: string): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteEpisodesOfPodcast(db, podcastId, episodesAtOnce);
    if (deleted === 0) return total;
    total += deleted;
  }
}
