import type { Context } from '../../../../domain/context.ts';
import { readEpisodeDraft } from '../../../../domain/episodes/index.ts';
import type { Answer } from '../../../route.ts';
import { presentDraft } from '../../present-episode.ts';
import { answerRevision } from '../../revision.ts';

/** The episode as it is now, with its revision: the answer of every write. */
export async function answerDraft(ctx: Context, episodeId: string): Promise<Answer> {
  const draft = await readEpisodeDraft(ctx, episodeId);
  return answerRevision(presentDraft(ctx.installation, draft));
}
