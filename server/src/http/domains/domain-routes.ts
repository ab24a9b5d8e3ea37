import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { ownPaths, sitemapUrl } from '../../domain/foundation/addresses.ts';
import { findCurrentSlug, findPodcastOfEpisode } from '../../domain/public/catalogue/index.ts';
import { requireVisible } from '../../domain/publishing/podcasts/index.ts';
import { isSlug } from '../../lib/slug.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cachedText } from '../cache/cached.ts';
import { episodePlayerRoute, latestPlayerRoute, scriptRoutes } from '../embed/index.ts';
import { isCanonicalUuid } from '../files/file-name.ts';
import { ownFileRoutes, respondWithFeed } from '../files/index.ts';
import type { HttpContext } from '../http-context.ts';
import { cardRoute } from '../pages/cards/card-route.ts';
import { commentsRoute } from '../pages/listen/comments-route.ts';
import {
  episodePageQuery,
  findEpisodeOfPage,
  redirectTo,
  respondWithEpisodePage,
  respondWithShowPage,
} from '../pages/listen/listen-routes.ts';
import { showPageQuery } from '../pages/listen/show-query.ts';
import { respondWithSitemap } from '../pages/listen/sitemap-route.ts';
import { iconRoutes } from '../pages/static-routes.ts';
import { withPodcast } from '../pages/with-podcast.ts';
import { plainTextType } from '../responses/payload.ts';
import { defineRoute, type Route } from '../route.ts';
import { getShowOfHost, refuseAtDomain } from './show-of-host.ts';

/**
 * What is at a show's own domain: its pages, its feed, and what these load (DOMAIN-7). The paths are those
 * that `targetByHost` makes. Every path but a page's has a dot or a second segment, so that an episode may
 * have any slug.
 */
const prefix = '/@:host';
const hostParam = { host: Type.String() };
const pageQuery = Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2048 })) });

const showPage = defineRoute({
  method: 'GET',
  path: `${prefix}/`,
  access: 'public',
  params: Type.Object(hostParam),
  query: showPageQuery,
  async handle(http, { query, request, reply }) {
    const show = await getShowOfHost(http, request);
    return withPodcast(http, show, async () => {
      requireVisible(show, 'page', 'podcast');
      return respondWithShowPage(http, show, query, reply);
    });
  },
});

const episodeParams = Type.Object({ ...hostParam, episode: Type.String() });

const episodePages = [`${prefix}/:episode`, `${prefix}/:episode/`].map((path) =>
  defineRoute({
    method: 'GET',
    path,
    access: 'public',
    params: episodeParams,
    query: episodePageQuery,
    async handle(http, { params: { episode }, query, request, reply }) {
      const show = await getShowOfHost(http, request);
      const isElsewhere = path.endsWith('/');
      const slug = await withPodcast(http, show, () =>
        findEpisodeOfPage(http, show, episode, isElsewhere),
      );
      if (isElsewhere || slug !== episode) return redirectTo(http, show, slug);
      return respondWithEpisodePage(http, show, slug, query, reply);
    },
  }),
);

const feed = defineRoute({
  method: 'GET',
  path: `${prefix}${ownPaths.feed}`,
  access: 'public',
  params: Type.Object(hostParam),
  query: pageQuery,
  async handle(http, { query: { cursor }, request, reply }) {
    const show = await getShowOfHost(http, request);
    requireVisible(show, 'feed', 'feed');
    return respondWithFeed(http, show, cursor, reply);
  },
});

const sitemap = defineRoute({
  method: 'GET',
  path: `${prefix}${ownPaths.sitemap}`,
  access: 'public',
  params: Type.Object(hostParam),
  query: pageQuery,
  async handle(http, { query: { cursor }, request, reply }) {
    const show = await getShowOfHost(http, request);
    return withPodcast(http, show, async () => {
      requireVisible(show, 'page', 'podcast');
      return respondWithSitemap(http, show, cursor, reply);
    });
  },
});

const robots = defineRoute({
  method: 'GET',
  path: `${prefix}/robots.txt`,
  access: 'public',
  params: Type.Object(hostParam),
  async handle(http, { request }) {
    const show = await getShowOfHost(http, request);
    // What isn't named is neither allowed nor denied (contentsignals.org).
    const signal = show.aiTraining === 'deny' ? 'Content-Signal: ai-train=no\n' : '';
    const sitemap = `Sitemap: ${sitemapUrl(http.ctx.installation, show)}\n`;
    const text = `User-agent: *\n${signal}Allow: /\n${sitemap}`;
    return cachedText(http, show, 'robots', plainTextType, async () => text);
  },
});

/** The podcast of what a path names, by its first parameter. */
type FindOwner = (http: HttpContext, name: string) => Promise<string | undefined>;

const uuidChars = 36;
const ofEpisode: FindOwner = async ({ ctx }, name) => {
  const id = name.slice(0, uuidChars).toLowerCase();
  return isUuid(id) ? await findPodcastOfEpisode(ctx, id) : undefined;
};
const ofImage: FindOwner = async ({ images }, name) => {
  const id = name.slice(0, uuidChars);
  // It is cached by its id, which has one spelling.
  return isCanonicalUuid(id) ? (await images.get(id)).podcastId : undefined;
};
/** Of a show, its own id. Any other id has no card. */
const ofCard: FindOwner = async (http, name) =>
  (await ofEpisode(http, name)) ?? name.slice(0, uuidChars);
const ofPodcast: FindOwner = async ({ ctx }, ref) => {
  if (isUuid(ref)) return ref.toLowerCase();
  return isSlug(ref) ? (await findCurrentSlug(ctx, ref))?.podcastId : undefined;
};

/** The same route at an own domain, for what belongs to its show. `find` undefined: for all. */
function atDomain(route: Route, find?: FindOwner): Route {
  return {
    ...route,
    path: `${prefix}${route.path}`,
    params: Type.Object({ ...hostParam, ...route.params?.properties }),
    async handle(http, input) {
      const { request, params } = input as unknown as AnyRequest;
      const show = await getShowOfHost(http, request);
      const { host: _, ...names } = params;
      const owner = await find?.(http, Object.values(names)[0] ?? '');
      if (find !== undefined && owner !== show.id) return refuseAtDomain(http, request);
      return route.handle(http, input);
    },
  };
}

interface AnyRequest {
  readonly request: FastifyRequest;
  readonly params: Readonly<Record<string, string>>;
}

export const domainRoutes: readonly Route[] = [
  showPage,
  ...episodePages,
  feed,
  sitemap,
  robots,
  ...ownFileRoutes.ofEpisodes.map((route) => atDomain(route, ofEpisode)),
  ...ownFileRoutes.ofImages.map((route) => atDomain(route, ofImage)),
  atDomain(cardRoute, ofCard),
  atDomain(episodePlayerRoute, ofEpisode),
  atDomain(commentsRoute, ofEpisode),
  atDomain(latestPlayerRoute, ofPodcast),
  ...[...scriptRoutes, ...iconRoutes].map((route) => atDomain(route)),
];
