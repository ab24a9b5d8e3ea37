import { type Context, transact } from '../context.ts';
import { deleteEpisodesOfPodcast } from '../episodes/index.ts';
import { deletePodcast as deleteRows, lockForDeletion, type Podcast } from '../podcasts/index.ts';
import { imageBoxesPx } from './image.ts';
import { imageKey, imageVariantKey } from './image-keys.ts';
import { selectAudioKeysOfPodcast, selectImagesOfPodcast } from './media.sql.ts';

// Deleting many episodes with one statement would exceed its time limit.
const episodesAtOnce = 200;

export interface DeletedPodcast {
  readonly podcast: Podcast;
  readonly episodes: number;
}

/**
 * Deletes a podcast with its episodes, people, files and everything else, in one transaction: the
 * rows first, then the files. A crash in between leaves unused files, which are swept later.
 */
export async function deletePodcast(
  ctx: Context,
  podcastId: string,
  /** Runs first in the transaction. If it throws, nothing is deleted. */
  begin?: (tx: Context) => Promise<void>,
): Promise<DeletedPodcast> {
  const { keys, ...deleted } = await transact(ctx, async (tx) => {
    await begin?.(tx);
    await lockForDeletion(tx, podcastId);
    const keys = await listFileKeys(tx, podcastId);
    const episodes = await deleteEpisodes(tx, podcastId);
    return { podcast: await deleteRows(tx, podcastId), episodes, keys };
  });
  for (const key of keys) await ctx.blobs.delete(key);
  return deleted;
}

/** How many there were. */
async function deleteEpisodes({ db }: Context, podcastId: string): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await deleteEpisodesOfPodcast(db, podcastId, episodesAtOnce);
    if (deleted === 0) return total;
    total += deleted;
  }
}

async function listFileKeys({ db }: Context, podcastId: string): Promise<string[]> {
  const images = await selectImagesOfPodcast(db, podcastId);
  return [
    ...(await selectAudioKeysOfPodcast(db, podcastId)),
    ...images.flatMap(({ id, contentType }) => [
      imageKey(id, contentType),
      ...imageBoxesPx.map((boxPx) => imageVariantKey(id, boxPx)),
    ]),
  ];
}
