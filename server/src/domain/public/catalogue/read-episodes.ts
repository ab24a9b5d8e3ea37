import { type Page, toPage } from '../../../lib/list-page.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Context } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { selectEpisodeForPage, selectEpisodeForPreview } from './episode-for-page.sql.ts';
import { type ListedPage, selectEpisodePages, selectPartEnds } from './episode-pages.sql.ts';
import {
  type EpisodeQuery,
  type FeedPart,
  selectCurrentEpisodeSlug,
  selectEpisodePage,
  selectEpisodesBriefly,
  selectEpisodesById,
  selectFeedPart,
  selectFirstPlayable,
  selectLatestEpisode,
  selectPodcastOfEpisode,
  selectPublicEpisode,
} from './episodes.sql.ts';
import type {
  EpisodeForPage,
  EpisodePosition,
  FeedEpisode,
  ListedEpisode,
  PageEpisode,
  PublicEpisode,
  PublicEpisodeDetail,
  PublicPodcast,
} from './public-podcast.ts';

/** A page with longer texts, in bytes, is read by a second statement. */
const longPageBytes = 512 * 1024;
const noLimit = 2 ** 31 - 1;

/**
 * Lists public episodes, newest first. `beforeLong` is called before texts of many bytes are read: its
 * caller waits there until there is room for them.
 */
export async function listPublicEpisodes(
  ctx: Context,
  show: PublicPodcast,
  query: EpisodeQuery,
  beforeLong?: (textBytes: number) => Promise<void>,
): Promise<Page<ListedEpisode, EpisodePosition>> {
  const oneMore = { ...query, limit: query.limit + 1 };
  const select = (mostBytes: number) =>
    selectEpisodePage(ctx.db, show, oneMore, ctx.clock.now(), mostBytes);
  let page = await select(longPageBytes);
  if (page.episodes === undefined) {
    await beforeLong?.(page.textBytes);
    page = await select(noLimit);
  }
  const { episodes = [] } = page;
  return toPage(episodes, query.limit, ({ publishedAt, id }) => ({ publishedAt, id }));
}

/**
 * Finds an episode by UUID or current slug. Throws the same not_found for hidden, foreign and
 * unknown episodes.
 */
export async function getPublicEpisode(
  ctx: Context,
  show: PublicPodcast,
  ref: string,
): Promise<PublicEpisodeDetail> {
  const now = ctx.clock.now();
  return requireFound(await selectPublicEpisode(ctx.db, show, readRef(ref), now), 'episode');
}

/** Finds the same episode with what only its page shows: more of the people, and its neighbours. */
export async function getEpisodeForPage(
  ctx: Context,
  show: PublicPodcast,
  ref: string,
): Promise<EpisodeForPage> {
  const now = ctx.clock.now();
  return requireFound(await selectEpisodeForPage(ctx.db, show, readRef(ref), now), 'episode');
}

const readRef = (ref: string) => (isUuid(ref) ? { id: ref.toLowerCase() } : { slug: ref });

/** Finds an episode that may not be public, for anyone who has the link to it. */
export function findEpisodeForPreview(
  ctx: Context,
  show: PublicPodcast,
  episodeId: string,
): Promise<PageEpisode | undefined> {
  return selectEpisodeForPreview(ctx.db, show, episodeId, ctx.clock.now());
}

/** Returns the newest public episode; throws not_found if there is none. */
export async function getLatestEpisode(
  ctx: Context,
  show: PublicPodcast,
): Promise<PublicEpisodeDetail> {
  return requireFound(await selectLatestEpisode(ctx.db, show, ctx.clock.now()), 'episode');
}

/** Finds the newest public episode with audio, else the newest: a page or frame plays it. */
export async function findLatestPlayable(
  ctx: Context,
  show: PublicPodcast,
): Promise<PublicEpisodeDetail | undefined> {
  const now = ctx.clock.now();
  const episode = await selectLatestEpisode(ctx.db, show, now, { withAudio: true });
  return episode ?? selectLatestEpisode(ctx.db, show, now);
}

/** Finds the episode with audio with which a show begins: full ones come before all others. */
export function findFirstPlayable(
  ctx: Context,
  show: PublicPodcast,
): Promise<PublicEpisodeDetail | undefined> {
  return selectFirstPlayable(ctx.db, show, ctx.clock.now());
}

/** An episode as a link names it. */
export type NewestEpisode = Pick<PublicEpisode, 'slug' | 'title'>;

/** The same as a link. */
export async function findNewestEpisode(
  ctx: Context,
  show: PublicPodcast,
): Promise<NewestEpisode | undefined> {
  const episode = await findLatestPlayable(ctx, show);
  return episode && { slug: episode.slug, title: episode.title };
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

/** Returns a part of the feed's episodes, and where the next one begins. */
export function listFeedEpisodes(
  ctx: Context,
  show: PublicPodcast,
  part: FeedPart,
): Promise<Page<FeedEpisode, EpisodePosition>> {
  return selectFeedPart(ctx.db, show, part, ctx.clock.now());
}

/** Lists those of these episodes that are public at `at`, in any order. */
export function listEpisodesById(
  ctx: Context,
  show: PublicPodcast,
  ids: readonly string[],
  at: Date,
): Promise<PublicEpisode[]> {
  return selectEpisodesById(ctx.db, show, ids, at);
}

/** Lists those of these episodes that are public now, in any order, with the beginnings of descriptions. */
export function listEpisodesBriefly(
  ctx: Context,
  show: PublicPodcast,
  ids: readonly string[],
): Promise<ListedEpisode[]> {
  return selectEpisodesBriefly(ctx.db, show, ids, ctx.clock.now());
}

const pagesAtOnce = 2_000;

/** The pages of at most `limit` public episodes after a position, newest first, in batches. */
export async function* listEpisodePages(
  ctx: Context,
  { id }: PublicPodcast,
  { after, limit }: FeedPart,
): AsyncGenerator<readonly ListedPage[]> {
  const now = ctx.clock.now();
  let [position, left] = [after, limit];
  while (left > 0) {
    const part = { after: position, limit: Math.min(left, pagesAtOnce) };
    const pages = await selectEpisodePages(ctx.db, id, part, now);
    if (pages.length > 0) yield pages;
    if (pages.length < part.limit) return;
    position = pages.at(-1)?.position;
    left -= pages.length;
  }
}

/** The last episode of each part of `size` public episodes that is followed by another part. */
export function listPartEnds(
  ctx: Context,
  { id }: Pick<PublicPodcast, 'id'>,
  size: number,
): Promise<EpisodePosition[]> {
  return selectPartEnds(ctx.db, id, size, ctx.clock.now());
}
