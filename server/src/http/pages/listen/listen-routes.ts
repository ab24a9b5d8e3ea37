import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { listenUrl } from '../../../domain/foundation/addresses.ts';
import { notFound, requireFound } from '../../../domain/foundation/errors.ts';
import {
  type EpisodePosition,
  findCurrentEpisodeSlug,
  findCurrentSlug,
  findFirstPlayable,
  findLatestPlayable,
  getEpisodeForPage,
  getPublicEpisode,
  type ListedEpisode,
  listPodroll,
  listPublicEpisodes,
  outlineShow,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { findPostUrl } from '../../../domain/public/comments/index.ts';
import { parseSearch, type Search, searchEpisodes } from '../../../domain/public/search/index.ts';
import { requireVisible, visibilityOf } from '../../../domain/publishing/podcasts/index.ts';
import { findChapters } from '../../../domain/publishing/transcripts/index.ts';
import { isSlug } from '../../../lib/slug.ts';
import { publicLimitReached } from '../../early-refusals.ts';
import type { HttpContext } from '../../http-context.ts';
import { HttpError } from '../../http-errors.ts';
import type { Build } from '../../limits/large-builds.ts';
import { byPublication, readEpisodePosition } from '../../requests/positions.ts';
import { queryOf } from '../../requests/request-target.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { defineRoute, type Route, type RouteResponse } from '../../route.ts';
import { cachedPage, pageOnce } from '../cached-page.ts';
import type { Page } from '../page.ts';
import { requireEpisodePage, withPodcast } from '../with-podcast.ts';
import { listenAudioUrl } from './episode-facts.ts';
import { renderEpisodePage } from './episode-page.ts';
import { renderShowPage, renderShowPreview, type ShowPage } from './show-page.ts';
import {
  type Choice,
  isToldInOrder,
  isUsual,
  readListChoice,
  type ShowPageQuery,
  scopeOfChoice,
  showPageQuery,
  toEpisodeQuery,
} from './show-query.ts';
import { findPageTranscript, type TranscriptPart } from './transcript-section.ts';
import { createView } from './view.ts';

const episodesOnPage = 30;

const showParams = Type.Object({ slug: Type.String() });
const episodeParams = Type.Object({ slug: Type.String(), episode: Type.String() });

/** Of an episode's page, on any host. Every other value is like none. */
export const episodePageQuery = Type.Object({ transcript: Type.Optional(Type.Unknown()) });

type EpisodePageQuery = Static<typeof episodePageQuery>;

const showPageRoute = defineRoute({
  method: 'GET',
  path: '/listen/:slug',
  access: 'public',
  params: showParams,
  query: showPageQuery,
  async handle(http, { params: { slug }, query, reply, request }) {
    const show = await getPodcastOfPage(http, slug);
    if (show.domain !== null) return redirectToDomain(http, show, undefined, request.raw.url);
    if (show.slug !== slug) return redirectTo(http, show);
    return respondWithShowPage(http, show, query, reply);
  },
});

/** The show's page with what was chosen or searched for, on any host. */
export async function respondWithShowPage(
  http: HttpContext,
  show: PublicPodcast,
  query: ShowPageQuery,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const { raw } = reply.request;
  const search = parseSearch(query.q ?? '');
  if (search.text !== '') {
    limitUncached(http, raw);
    return respondWithFound(http, show, search, reply);
  }
  const choice = readListChoice(show, query);
  const { cursor } = query;
  const scope = scopeOfChoice(show, choice);
  const after = cursor === undefined ? undefined : readEpisodePosition(http, scope, cursor);
  const from = after === undefined ? '' : byPublication.write(after).join(' ');
  const read = async (build: Build) =>
    renderShowPage(
      createView(http.ctx.installation, show),
      await readShowPage(http, build, show, choice, after),
    );
  const leaving = clientLeaves(reply);
  if (isUsual(show, choice)) {
    const validUntil = findEndOfPage(http, show);
    return cachedPage(http, show, `show page ${from}`, read, { leaving, validUntil });
  }
  // There are too many selections to keep, as with those of the API (PUB-8).
  limitUncached(http, raw);
  using build = http.largeBuilds.begin(show.id, leaving);
  return pageOnce(show, await read(build));
}

/** What a page says of shows that it recommends may be so old. */
const recommendedMs = 10 * 60_000;

/** The page is made anew when its show changes; nobody says when those change that it recommends. */
function findEndOfPage({ ctx }: HttpContext, show: PublicPodcast): Date | null {
  if (!show.pageSections.includes('podroll')) return show.nextChangeAt;
  const end = new Date(ctx.clock.now().getTime() + recommendedMs);
  return show.nextChangeAt !== null && show.nextChangeAt < end ? show.nextChangeAt : end;
}

/** Pages with other parameters are from the cache and don't count (LIM-1). */
function limitUncached(http: HttpContext, request: IncomingMessage): void {
  if (!http.consumeLimit(request)) throw new HttpError(publicLimitReached);
}

/** Not cached either: what others read stays in memory. */
async function respondWithFound(
  http: HttpContext,
  show: PublicPodcast,
  search: Search,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const find = () => searchEpisodes(http.ctx, show, search);
  const client = http.blockOf(reply.request.raw);
  const owner = { podcastId: show.id, client, left: clientLeaves(reply) };
  const hits = await http.searches.run(owner, find);
  return pageOnce(
    show,
    renderShowPage(createView(http.ctx.installation, show), {
      list: { search, hits },
      outline: await outlineShow(http.ctx, show),
      offered: undefined,
      isFirst: false,
    }),
  );
}

const episodePageRoute = defineRoute({
  method: 'GET',
  path: '/listen/:slug/:episode',
  access: 'public',
  params: episodeParams,
  query: episodePageQuery,
  async handle(http, { params: { slug, episode }, query, reply, request }) {
    const { show, episodeSlug } = await getEpisodeOfPage(http, slug, episode);
    if (show.domain !== null) return redirectToDomain(http, show, episodeSlug, request.raw.url);
    if (show.slug !== slug || episodeSlug !== episode) return redirectTo(http, show, episodeSlug);
    return respondWithEpisodePage(http, show, episodeSlug, query, reply);
  },
});

/** The page of an episode with this current slug, on any host. */
export function respondWithEpisodePage(
  http: HttpContext,
  show: PublicPodcast,
  episodeSlug: string,
  query: EpisodePageQuery,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const part = query.transcript === 'all' ? 'all' : 'beginning';
  const key = `episode page ${episodeSlug} ${part}`;
  const read = (build: Build) => readEpisodePage(http, build, show, episodeSlug, part);
  return withPodcast(http, show, () =>
    cachedPage(http, show, key, read, { leaving: clientLeaves(reply) }),
  );
}

/** The same URLs with a trailing slash redirect. */
const slashRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/listen/:slug/',
    access: 'public',
    params: showParams,
    async handle(http, { params, request }) {
      const show = await getPodcastOfPage(http, params.slug);
      if (show.domain !== null) return redirectToDomain(http, show, undefined, request.raw.url);
      return redirectTo(http, show);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/listen/:slug/:episode/',
    access: 'public',
    params: episodeParams,
    async handle(http, { params }) {
      const { show, episodeSlug } = await getEpisodeOfPage(http, params.slug, params.episode);
      await withPodcast(http, show, () => getPublicEpisode(http.ctx, show, episodeSlug));
      if (show.domain !== null) return redirectToDomain(http, show, episodeSlug, undefined);
      return redirectTo(http, show, episodeSlug);
    },
  }),
];

export const listenRoutes: readonly Route[] = [showPageRoute, episodePageRoute, ...slashRoutes];

async function readShowPage(
  http: HttpContext,
  build: Build,
  show: PublicPodcast,
  choice: Choice,
  after: EpisodePosition | undefined,
): Promise<ShowPage> {
  const query = { ...toEpisodeQuery(show, choice), limit: episodesOnPage, after };
  const { items, next } = await listPublicEpisodes(http.ctx, show, query, (bytes) =>
    build.grow(bytes, 0),
  );
  const isFirst = after === undefined && isUsual(show, choice);
  const hasPodroll = isFirst && show.pageSections.includes('podroll');
  return {
    list: {
      choice,
      episodes: items,
      nextCursor:
        next && http.cursors.encode(scopeOfChoice(show, choice), byPublication.write(next)),
      isFirst: after === undefined,
    },
    outline: await outlineShow(http.ctx, show),
    offered: isFirst ? await findOffered(http, show, items, next !== undefined) : undefined,
    isFirst,
    podroll: hasPodroll ? await listPodroll(http.ctx, show.id) : [],
  };
}

/** The page of a show as its owner is about to arrange it, in any status. */
export async function readShowPreview(
  http: HttpContext,
  show: PublicPodcast,
  left: AbortSignal,
): Promise<Page> {
  using build = http.largeBuilds.begin(show.id, left);
  const page = await readShowPage(http, build, show, readListChoice(show, {}), undefined);
  const hosts = { ...http.ctx.installation, forMembers: true };
  return renderShowPreview(createView(hosts, show), page);
}

/**
 * The episode that the top of a show's page plays: the first of a serial show, the newest of any other.
 * `items`: the first page of its list; only if none of these will do, others are searched.
 */
async function findOffered(
  { ctx }: HttpContext,
  show: PublicPodcast,
  items: readonly ListedEpisode[],
  hasMore: boolean,
): Promise<ListedEpisode | undefined> {
  const playable = items.filter(
    (episode) => listenAudioUrl(ctx.installation, episode) !== undefined,
  );
  if (!isToldInOrder(show)) {
    return playable[0] ?? (hasMore ? findLatestPlayable(ctx, show) : undefined);
  }
  const first = playable.find(({ episodeType }) => episodeType === 'full');
  return first ?? (hasMore ? findFirstPlayable(ctx, show) : playable[0]);
}

async function readEpisodePage(
  http: HttpContext,
  build: Build,
  show: PublicPodcast,
  slug: string,
  part: TranscriptPart,
): Promise<Page> {
  const episode = await getEpisodeForPage(http.ctx, show, slug);
  const view = { ...createView(http.ctx.installation, show), episode };
  const chapters = episode.hasChapters ? await findChapters(http.ctx, episode.id) : undefined;
  const transcript =
    episode.transcriptLanguage === null
      ? undefined
      : await findPageTranscript(http.ctx, build, episode.id, part);
  const { previous, next, others } = episode;
  const postUrl = findPostUrl(episode.elements);
  const around = { previous, next, others, postUrl };
  return renderEpisodePage(view, { chapters: chapters ?? [], transcript, ...around });
}

export function redirectTo(
  http: HttpContext,
  show: PublicPodcast,
  episodeSlug?: string,
): RouteResponse {
  const location = listenUrl(http.ctx.installation, show, episodeSlug);
  return { kind: 'redirect', status: 301, location };
}

/** To the same page on the show's own domain (DOMAIN-9). */
function redirectToDomain(
  http: HttpContext,
  show: PublicPodcast,
  episodeSlug: string | undefined,
  url: string | undefined,
): RouteResponse {
  const location = listenUrl(http.ctx.installation, show, episodeSlug) + queryOf(url);
  return { kind: 'redirect', status: 308, location };
}

/** The show with this current or former slug, if its pages are public. */
export async function getPodcastOfPage(http: HttpContext, slug: string): Promise<PublicPodcast> {
  const show = await findPodcastOfSlug(http, slug);
  return withPodcast(http, show, async () => {
    requireVisible(show, 'page', 'podcast');
    return show;
  });
}

/**
 * The show, and the current slug of the episode with this current or former slug. An episode of a
 * withheld or paused show is refused as such only if it would be public otherwise; any other is not
 * found.
 */
async function getEpisodeOfPage(
  http: HttpContext,
  slug: string,
  episodeSlug: string,
): Promise<{ show: PublicPodcast; episodeSlug: string }> {
  const show = await findPodcastOfSlug(http, slug);
  return withPodcast(http, show, async () => {
    const isElsewhere = show.slug !== slug || show.domain !== null;
    return { show, episodeSlug: await findEpisodeOfPage(http, show, episodeSlug, isElsewhere) };
  });
}

/** The current slug; `isElsewhere`: its page isn't at the URL that was requested. */
export async function findEpisodeOfPage(
  http: HttpContext,
  show: PublicPodcast,
  episodeSlug: string,
  isElsewhere: boolean,
): Promise<string> {
  const seen = visibilityOf(show, 'page');
  if (seen === 'hidden') throw notFound('podcast');
  if (!isSlug(episodeSlug)) throw notFound('episode');
  const current = await findCurrentEpisodeSlug(http.ctx, show.id, episodeSlug);
  if (current === undefined) throw notFound('episode');
  const isMoved = isElsewhere || current !== episodeSlug;
  // A redirect reveals that something exists, so only visible things redirect.
  if ((isMoved && seen === 'open') || seen === 'withheld')
    await getPublicEpisode(http.ctx, show, current);
  await requireEpisodePage(http, show, current);
  return current;
}

async function findPodcastOfSlug(http: HttpContext, slug: string): Promise<PublicPodcast> {
  const current = isSlug(slug) ? await findCurrentSlug(http.ctx, slug) : undefined;
  return http.podcasts.find(requireFound(current, 'podcast').podcastId);
}
