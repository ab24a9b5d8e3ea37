import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { listenUrl, sitemapUrl } from '../../../domain/foundation/addresses.ts';
import {
  type EpisodePosition,
  listEpisodePages,
  listPartEnds,
  type PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { escapeXml } from '../../../lib/escape.ts';
import { cachedText } from '../../cache/cached.ts';
import type { HttpContext } from '../../http-context.ts';
import { byPublication, readEpisodePosition } from '../../requests/positions.ts';
import { queryOf } from '../../requests/request-target.ts';
import { clientLeaves } from '../../responses/while-awaited.ts';
import { defineRoute, type RouteResponse } from '../../route.ts';
import { getPodcastOfPage } from './listen-routes.ts';

/** The protocol allows 50,000 in one file. A longer show has several, and a file that lists them. */
export const pagesOfPart = 10_000;
export const sitemapType = 'application/xml; charset=utf-8';
const start = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** `/listen/{slug}/sitemap.xml`: the public pages of a show for search engines, PAGE-14. */
export const sitemapRoute = defineRoute({
  method: 'GET',
  path: '/listen/:slug/sitemap.xml',
  access: 'public',
  params: Type.Object({ slug: Type.String() }),
  query: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 2048 })) }),
  async handle(http, { params: { slug }, query: { cursor }, reply, request }) {
    const show = await getPodcastOfPage(http, slug);
    const location = sitemapUrl(http.ctx.installation, show);
    if (show.domain !== null)
      return { kind: 'redirect', status: 308, location: location + queryOf(request.raw.url) };
    if (show.slug !== slug) return { kind: 'redirect', status: 301, location };
    return respondWithSitemap(http, show, cursor, reply);
  },
});

/** The sitemap of a show, on any host. */
export async function respondWithSitemap(
  http: HttpContext,
  show: PublicPodcast,
  cursor: string | undefined,
  reply: FastifyReply,
): Promise<RouteResponse> {
  const scope = scopeOf(show);
  // The first part has an address of its own, because the sitemap itself may be a list of parts.
  const isFirst = cursor === firstPart;
  const after =
    cursor === undefined || isFirst ? undefined : readEpisodePosition(http, scope, cursor);
  const place = after === undefined ? (cursor ?? '') : byPublication.write(after).join(' ');
  const compute = async () => {
    const parts = cursor === undefined ? await listSitemapParts(http, show) : [];
    return parts.length === 0 ? await writePages(http, show, after) : writeSitemapIndex(parts);
  };
  return cachedText(http, show, `sitemap ${place}`, sitemapType, compute, clientLeaves(reply));
}

const firstPart = 'first';

const scopeOf = ({ id }: Pick<PublicPodcast, 'id'>) => ({
  endpoint: 'GET /listen/{slug}/sitemap.xml',
  resource: id,
  filters: {},
});

/** The URLs of the parts of a show's sitemap; none if it has no parts. */
export async function listSitemapParts(
  { ctx, cursors }: Pick<HttpContext, 'ctx' | 'cursors'>,
  show: Pick<PublicPodcast, 'id' | 'slug' | 'domain'>,
): Promise<string[]> {
  const ends = await listPartEnds(ctx, show, pagesOfPart);
  if (ends.length === 0) return [];
  const write = (end: EpisodePosition) => cursors.encode(scopeOf(show), byPublication.write(end));
  return [firstPart, ...ends.map(write)].map((part) => sitemapUrl(ctx.installation, show, part));
}

/** A list of sitemaps, which may not name other such lists. */
export function writeSitemapIndex(urls: readonly string[]): string {
  const sitemaps = urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`);
  return `${start}<sitemapindex ${namespace}>\n${sitemaps.join('')}</sitemapindex>\n`;
}

/** The page of the show stands in the first part. It also changes when an episode appears. */
async function writePages(
  { ctx }: HttpContext,
  show: PublicPodcast,
  after: EpisodePosition | undefined,
): Promise<Buffer[]> {
  const { installation: hosts } = ctx;
  const writePage = (url: string, changedAt: Date) =>
    `<url><loc>${escapeXml(url)}</loc><lastmod>${changedAt.toISOString()}</lastmod></url>\n`;
  const written: string[] = [];
  let shownAt = show.updatedAt;
  for await (const pages of listEpisodePages(ctx, show, { after, limit: pagesOfPart })) {
    const newest = pages[0]?.position.publishedAt;
    if (newest !== undefined && newest > shownAt) shownAt = newest;
    const urls = pages.map(({ slug, changedAt }) =>
      writePage(listenUrl(hosts, show, slug), changedAt),
    );
    written.push(urls.join(''));
  }
  const own = after === undefined ? writePage(listenUrl(hosts, show), shownAt) : '';
  const pieces = [`${start}<urlset ${namespace}>\n${own}`, ...written, '</urlset>\n'];
  return pieces.map((piece) => Buffer.from(piece));
}
