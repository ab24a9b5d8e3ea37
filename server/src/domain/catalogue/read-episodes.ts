import { type Page, toPage } from '../../lib/page.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import {
  type EpisodeQuery,
  selectCurrentEpisodeSlug,
  selectEpisodePage,
  selectFeedPage,
  selectLatestEpisode,
  selectPodcastOfEpisode,
  selectPublicEpisode,
} from './episodes.sql.ts';
import type { EpisodePosition, PublicEpisode, PublicEpisodeDetail, Show } from './show.ts';

/** Public episodes, newest first. */
export async function listPublicEpisodes(
  ctx: Context,
  show: Show,
  query: EpisodeQuery,
): Promise<Page<PublicEpisode, EpisodePosition>> {
  const oneMore = { ...query, limit: query.limit + 1 };
  const rows = await selectEpisodePage(ctx.db, show, oneMore, ctx.clock.now());
  return toPage(rows, query.limit, ({ publishedAt, id }) => ({ publishedAt, id }));
}

/** By UUID or current slug. Hidden, foreign and unknown episodes are the same: not there. */
export async function getPublicEpisode(
  ctx: Context,
  show: Show,
  ref: string,
): Promise<PublicEpisodeDetail> {
  const wanted = isUuid(ref) ? { id: ref.toLowerCase() } : { slug: ref };
  const episode = await selectPublicEpisode(ctx.db, show, wanted, ctx.clock.now());
  if (episode === undefined) throw notFound('episode');
  return episode;
}

/** The newest public episode; a show without one has none. */
export async function getLatestEpisode(ctx: Context, show: Show): Promise<PublicEpisodeDetail> {
  const episode = await selectLatestEpisode(ctx.db, show, ctx.clock.now());
  if (episode === undefined) throw notFound('episode');
  return episode;
}

export function findPodcastOfEpisode(ctx: Context, episodeId: string): Promise<string | undefined> {
  return selectPodcastOfEpisode(ctx.db, episodeId.toLowerCase(), ctx.clock.now());
}

export function findCurrentEpisodeSlug(
  ctx: Context,
  podcastId: string,
  slug: string,
): Promise<string | undefined> {
  return selectCurrentEpisodeSlug(ctx.db, podcastId, slug);
}

/** What the feed shows on one of its pages, newest first; page numbers begin at 1. */
export function listFeedEpisodes(
  ctx: Context,
  show: Show,
  page: { number: number; size: number },
): Promise<PublicEpisode[]> {
  return selectFeedPage(ctx.db, show, page, ctx.clock.now());
}
