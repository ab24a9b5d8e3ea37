import type { Context } from '../../../../domain/foundation/context.ts';
import { readPodcastSettings } from '../../../../domain/publishing/podcasts/index.ts';
import { presentShow } from '../../present-show.ts';

/** The current show with its revision, which answers every write. */
export async function readShow(ctx: Context, podcastId: string) {
  return presentShow(ctx.installation, await readPodcastSettings(ctx, podcastId));
}
