import type { Context } from '../context.ts';
import { deleteEpisode as deleteRows, type Episode } from '../episodes/index.ts';
import type { Expectation } from '../revisions/index.ts';
import { selectAudio } from './media.sql.ts';

/**
 * Deletes an episode with everything that belongs to it: the rows first, then the file. A crash in
 * between leaves an unused file, never an episode without its audio. Pictures stay with the
 * podcast.
 */
export async function deleteEpisode(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<Episode> {
  const audio = await selectAudio(ctx.db, episodeId);
  const episode = await deleteRows(ctx, episodeId, expectation);
  if (audio?.blobKey != null) await ctx.blobs.delete(audio.blobKey);
  return episode;
}
