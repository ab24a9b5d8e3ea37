import { notFound, requireFound } from '../../../domain/foundation/errors.ts';
import {
  findCurrentEpisodeSlug,
  findCurrentSlug,
  getPublicEpisode,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { requireVisible, visibilityOf } from '../../../domain/publishing/podcasts/index.ts';
import { isSlug } from '../../../lib/slug.ts';
import type { HttpContext } from '../../http-context.ts';
import { requireEpisodePage, withPodcast } from '../with-podcast.ts';

/** The show with this current or former slug, if its pages are public. */
export async function getPodcastOfPage(http: HttpContext, slug: string): Promise<PublicPodcast> {
  const show = await findPodcastOfSlug(http, slug);
  return withPodcast(show, async () => {
    requireVisible(show, 'page', 'podcast');
    return show;
  });
}

/**
 * The show, and the current slug of the episode with this current or former slug. An episode of a
 * withheld or paused show is refused as such only if it would be public otherwise; any other is not
 * found.
 */
export async function getEpisodeOfPage(
  http: HttpContext,
  slug: string,
  episodeSlug: string,
): Promise<{ show: PublicPodcast; episodeSlug: string }> {
  const show = await findPodcastOfSlug(http, slug);
  return withPodcast(show, () => findEpisode(http, show, slug, episodeSlug));
}

async function findEpisode(
  http: HttpContext,
  show: PublicPodcast,
  slug: string,
  episodeSlug: string,
): Promise<{ show: PublicPodcast; episodeSlug: string }> {
  const seen = visibilityOf(show, 'page');
  if (seen === 'hidden') throw notFound('podcast');
  if (!isSlug(episodeSlug)) throw notFound('episode');
  const current = await findCurrentEpisodeSlug(http.ctx, show.id, episodeSlug);
  if (current === undefined) throw notFound('episode');
  const isMoved = show.slug !== slug || current !== episodeSlug;
  // A redirect reveals that something exists, so only visible things redirect.
  if ((isMoved && seen === 'open') || seen === 'withheld')
    await getPublicEpisode(http.ctx, show, current);
  await requireEpisodePage(http, show, current);
  return { show, episodeSlug: current };
}

async function findPodcastOfSlug(http: HttpContext, slug: string): Promise<PublicPodcast> {
  const current = isSlug(slug) ? await findCurrentSlug(http.ctx, slug) : undefined;
  return http.podcasts.find(requireFound(current, 'podcast').podcastId);
}
