import type { Context } from '../context.ts';
import { deleteEpisode as deleteRows, type Episode } from '../episodes/index.ts';
import type { Expectation } from '../revisions/index.ts';
import { selectAudio } from './media.sql.ts';

/**
 * Removes an episode with all that hangs on it. The rows first, then the bytes: a crash between
 * leaves a stray blob, never an episode without its audio. Pictures stay the podcast's.
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
