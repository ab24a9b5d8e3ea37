import type { Context } from '../../../../domain/foundation/context.ts';
import { readEpisodeDraft } from '../../../../domain/publishing/episodes/index.ts';
import { presentDraft } from '../../present-episode.ts';

/** The current episode with its revision, which answers every write. */
export async function readDraft(ctx: Context, episodeId: string) {
  return presentDraft(ctx.installation, await readEpisodeDraft(ctx, episodeId));
}
