import {
  findCurrentEpisodeSlug,
  findCurrentSlug,
  getPublicEpisode,
  requireVisible,
  type Show,
  visibilityOf,
} from '../../../domain/catalogue/index.ts';
import { notFound } from '../../../domain/errors.ts';
import { isSlug } from '../../../lib/slug.ts';
import type { Web } from '../../web.ts';

/** The show that has or had this slug, if its pages may be seen. */
export async function getShowOfPage(web: Web, slug: string): Promise<Show> {
  const show = await findShowOfSlug(web, slug);
  requireVisible(show, 'page', 'podcast');
  return show;
}

/**
 * The show, and the current slug of its episode that has or had this one. Of a withheld show only
 * an episode that would be visible otherwise is refused as withheld; any other is not there.
 */
export async function getEpisodeOfPage(
  web: Web,
  slug: string,
  episodeSlug: string,
): Promise<{ show: Show; episodeSlug: string }> {
  const show = await findShowOfSlug(web, slug);
  const seen = visibilityOf(show, 'page');
  if (seen === 'hidden' || !isSlug(episodeSlug)) throw notFound('episode');
  const current = await findCurrentEpisodeSlug(web.ctx, show.id, episodeSlug);
  if (current === undefined) throw notFound('episode');
  const isMoved = show.slug !== slug || current !== episodeSlug;
  // A redirect tells that something is there: only what may be seen is told of.
  if (isMoved || seen === 'withheld') await getPublicEpisode(web.ctx, show, current);
  requireVisible(show, 'page', 'episode');
  return { show, episodeSlug: current };
}

async function findShowOfSlug(web: Web, slug: string): Promise<Show> {
  const current = isSlug(slug) ? await findCurrentSlug(web.ctx, slug) : undefined;
  if (current === undefined) throw notFound('podcast');
  return web.shows.find(current.podcastId);
}
