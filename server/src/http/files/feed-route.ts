import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { feedUrl } from '../../domain/foundation/addresses.ts';
import { notFound } from '../../domain/foundation/errors.ts';
import { findCurrentSlug, type PublicPodcast } from '../../domain/public/catalogue/index.ts';
import {
  buildServedFeed,
  feedContentType,
  feedCursorScope,
  feedLinkHeader,
  findFeedOrMove,
} from '../../domain/public/feeds/index.ts';
import { isSlug } from '../../lib/slug.ts';
import { cachedText } from '../cache/cached.ts';
import type { HttpContext } from '../http-context.ts';
import type { Build } from '../limits/large-builds.ts';
import { byPublication, readEpisodePosition } from '../requests/positions.ts';
import { clientLeaves } from '../responses/while-awaited.ts';
import { defineRoute, type RouteResponse } from '../route.ts';

/** `/feeds/{slug}.xml`; a former slug redirects to the current one. */
export const feedRoute = defineRoute({
  method: 'GET',
  path: '/feeds/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  query: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2048 })) }),
  async handle(http, { params: { file }, query: { cursor }, reply }) {
    const slug = file.endsWith('.xml') ? file.slice(0, -'.xml'.length) : '';
    if (!isSlug(slug)) throw notFound('feed');
    const current = await findCurrentSlug(http.ctx, slug);
    if (current === undefined) throw notFound('feed');
    const show = await http.podcasts.get(current.podcastId, 'feed', 'feed');
    const { domain, redirectFeed } = show;
    const { installation } = http.ctx;
    const found = await findFeedOrMove(http.ctx, show);
    const moved = 'location' in found ? found.location : undefined;
    const isAtDomain = domain !== null && redirectFeed && moved === undefined;
    if (slug !== show.slug || isAtDomain) {
      const to = { slug: show.slug, domain: isAtDomain ? domain : null };
      const location = moved ?? feedUrl(installation, to, cursor);
      return { kind: 'redirect', status: 301, location };
    }
    return respondWithFeed(http, show, cursor, reply);
  },
});

/** The feed of a show, on any host. */
export async function respondWithFeed(
  http: HttpContext,
  show: PublicPodcast,
  cursor: string | undefined,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const found = await findFeedOrMove(http.ctx, show);
  if ('location' in found) return { kind: 'redirect', status: 301, location: found.location };
  const { show: served, isInCircle } = found;
  const scope = feedCursorScope(show);
  const after = cursor === undefined ? undefined : readEpisodePosition(http, scope, cursor);
  const place = after === undefined ? [] : byPublication.write(after);
  const key = ['feed', ...place, ...(isInCircle ? ['in a circle'] : [])].join(' ');
  const compute = (build: Build) =>
    buildServedFeed(http.ctx, served, after, (bytes) => build.grow(bytes));
  // A later page is not a topic to subscribe to.
  const link = after === undefined ? feedLinkHeader(http.ctx.installation, show) : undefined;
  const extra = link === undefined ? {} : { Link: link };
  const leaving = clientLeaves(reply);
  const response = await cachedText(http, show, key, feedContentType, compute, leaving, { extra });
  // The next request runs the route: the circle ends when another show changes.
  if (!isInCircle || response.kind !== 'cached') return response;
  return { kind: 'payload', payload: response.entry.value };
}
