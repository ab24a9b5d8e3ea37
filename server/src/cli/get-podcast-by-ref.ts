import type { Context } from '../domain/foundation/context.ts';
import { getPodcast, getPodcastBySlug, type Podcast } from '../domain/publishing/podcasts/index.ts';
import { isUuid } from '../lib/uuid.ts';

/** By its id, or a current or former slug; no slug looks like an id. */
export function getPodcastByRef(ctx: Context, ref: string): Promise<Podcast> {
  return isUuid(ref) ? getPodcast(ctx, ref.toLowerCase()) : getPodcastBySlug(ctx, ref);
}
