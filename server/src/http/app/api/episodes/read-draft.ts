import type { Context } from '../../../../domain/context.ts';
import { readEpisodeDraft } from '../../../../domain/episodes/index.ts';
import { presentDraft } from '../../present-episode.ts';

/** The episode as it is now, with its revision: the answer of every write. */
export async function readDraft(ctx: Context, episodeId: string) {
  return presentDraft(ctx.installation, await readEpisodeDraft(ctx, episodeId));
}
