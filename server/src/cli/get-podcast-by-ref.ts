import type { Context } from '../domain/context.ts';
import { getPodcast, getPodcastBySlug, type Podcast } from '../domain/podcasts/index.ts';
import { isUuid } from '../lib/uuid.ts';

/** By its slug or its id: no slug has the form of an id. */
export function getPodcastByRef(ctx: Context, ref: string): Promise<Podcast> {
  return isUuid(ref) ? getPodcast(ctx, ref.toLowerCase()) : getPodcastBySlug(ctx, ref);
}
