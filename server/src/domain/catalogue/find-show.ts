import { isUuid } from '../../lib/uuid.ts';
import type { Context } from '../context.ts';
import type { Show } from './show.ts';
import { countPublicEpisodes, selectCurrentSlug, selectShow } from './shows.sql.ts';

/** By UUID (either case) or current slug, whatever its status: visibility is the reader's step. */
export function findShow(ctx: Context, ref: string): Promise<Show | undefined> {
  const wanted = isUuid(ref) ? { id: ref.toLowerCase() } : { slug: ref };
  return selectShow(ctx.db, wanted, ctx.clock.now());
}

/** Where the show that had this slug is now; undefined when no show ever had it. */
export function findCurrentSlug(
  ctx: Context,
  slug: string,
): Promise<{ podcastId: string; slug: string } | undefined> {
  return selectCurrentSlug(ctx.db, slug);
}

/** Episodes that are public now. */
export function countEpisodes(ctx: Context, show: Show): Promise<number> {
  return countPublicEpisodes(ctx.db, show.id, ctx.clock.now());
}
