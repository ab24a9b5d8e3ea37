import type { Context } from '../../../../domain/context.ts';
import { readPodcastSettings } from '../../../../domain/podcasts/index.ts';
import { presentShow } from '../../present-show.ts';

/** The show as it is now, with its revision: the answer of every write. */
export async function readShow(ctx: Context, podcastId: string) {
  return presentShow(ctx.installation, await readPodcastSettings(ctx, podcastId));
}
