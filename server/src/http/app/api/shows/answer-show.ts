import type { Context } from '../../../../domain/context.ts';
import { readPodcastSettings } from '../../../../domain/podcasts/index.ts';
import type { Answer } from '../../../route.ts';
import { presentShow } from '../../present-show.ts';
import { answerRevision } from '../../revision.ts';

/** The show as it is now, with its revision: the answer of every write. */
export async function answerShow(ctx: Context, podcastId: string): Promise<Answer> {
  const settings = await readPodcastSettings(ctx, podcastId);
  return answerRevision(presentShow(ctx.installation, settings));
}
