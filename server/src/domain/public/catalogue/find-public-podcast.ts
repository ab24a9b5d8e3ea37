import { isUuid } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import type { PublicPodcast } from './public-podcast.ts';
import {
  countPublicEpisodes,
  selectCurrentSlug,
  selectPublicPodcast,
} from './public-podcasts.sql.ts';

/**
 * Finds a podcast by UUID (in either case) or current slug, in any status: the reader checks
 * visibility.
 */
export function findPublicPodcast(ctx: Context, ref: string): Promise<PublicPodcast | undefined> {
  const wanted = isUuid(ref) ? { id: ref.toLowerCase() } : { slug: ref };
  return selectPublicPodcast(ctx.db, wanted, ctx.clock.now());
}

/** Finds the current slug of the show that had this slug; undefined if no show ever had it. */
export function findCurrentSlug(
  ctx: Context,
  slug: string,
): Promise<{ podcastId: string; slug: string } | undefined> {
  return selectCurrentSlug(ctx.db, slug);
}

/** By what was read of a show, which a change or a publication replaces. */
const counts = new WeakMap<PublicPodcast, number>();

/**
 * The number of episodes that are public now. Counted once for all pages: 100,000 episodes take the
 * database longer than what else a page needs.
 */
export async function countEpisodes(ctx: Context, show: PublicPodcast): Promise<number> {
  const known = counts.get(show);
  if (known !== undefined) return known;
  const count = await countPublicEpisodes(ctx.db, show.id, ctx.clock.now());
  counts.set(show, count);
  return count;
}
