import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { feedUrl } from '../../domain/foundation/addresses.ts';
import { invalid, notFound } from '../../domain/foundation/errors.ts';
import { findCurrentSlug, type PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { buildFeed } from '../../domain/public/feeds/index.ts';
import { visibilityOf } from '../../domain/publishing/podcasts/index.ts';
import { isSlug } from '../../lib/slug.ts';
import { cachedText } from '../cache/cached.ts';
import type { HttpContext } from '../http-context.ts';
import type { Build } from '../limits/large-builds.ts';
import { clientLeaves } from '../responses/while-awaited.ts';
import { defineRoute, type RouteResponse } from '../route.ts';

/** `/feeds/{slug}.xml`; a former slug redirects to the current one. */
export const feedRoute = defineRoute({
  method: 'GET',
  path: '/feeds/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })) }),
  async handle(http, { params: { file }, query: { page = 1 }, reply }) {
    const slug = file.endsWith('.xml') ? file.slice(0, -'.xml'.length) : '';
    if (!isSlug(slug)) throw notFound('feed');
    const current = await findCurrentSlug(http.ctx, slug);
    if (current === undefined) throw notFound('feed');
    const show = await http.podcasts.get(current.podcastId, 'feed', 'feed');
    return respondWithFeed(http, show, { slug, page, reply });
  },
});

async function respondWithFeed(
  http: HttpContext,
  show: PublicPodcast,
  { slug, page, reply }: { slug: string; page: number; reply: FastifyReply },
): Promise<RouteResponse> {
  if (visibilityOf(show, 'feed') === 'moved' && show.newFeedUrl !== null) {
    return { kind: 'redirect', status: 301, location: show.newFeedUrl };
  }
  if (slug !== show.slug) {
    const location = feedUrl(http.ctx.installation, show.slug, page);
    return { kind: 'redirect', status: 301, location };
  }
  const type = 'application/rss+xml; charset=utf-8';
  const compute = async (build: Build) => {
    const pieces = await buildFeed(http.ctx, show, page, (bytes) => build.grow(bytes));
    if (pieces === undefined) throw invalid('page', 'The feed has fewer pages.');
    return pieces;
  };
  return cachedText(http, show, `feed ${page}`, type, compute, clientLeaves(reply));
}
