import { type Page, toPage } from '../../../lib/list-page.ts';
import type { Context } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import {
  mayActFor,
  requireOperator,
  requireSelf,
  requireUser,
} from '../../foundation/principal.ts';
import type { ListedSite } from './listed-site.ts';
import { type ListedPost, type PostPosition, selectPosts } from './posts.sql.ts';
import type { Site } from './site.ts';
import { selectSiteFacts } from './site-facts.sql.ts';
import { type SitePosition, selectSite, selectSiteAt, selectSites } from './sites.sql.ts';

/** Of each site in a list: a page of sites with a thousand shows each would block the process. */
const mostListedShows = 20;

/** With all its shows. Throws not_found for a site that is not the acting user's. */
export async function getSite(ctx: Context, siteId: string): Promise<ListedSite> {
  const [site] = await withFacts(ctx, [await getOwnSite(ctx, siteId)], null);
  return requireFound(site, 'site');
}

/** The same without the facts of other tables. */
export async function getOwnSite(ctx: Context, siteId: string): Promise<Site> {
  const site = await selectSite(ctx.db, siteId, ctx.clock.now());
  if (site === undefined || !mayActFor(ctx, site.userId)) throw notFound('site');
  return site;
}

/** Leaves out sites that were deleted in the meantime, with their user. */
async function withFacts(
  ctx: Context,
  sites: readonly Site[],
  mostShows: number | null,
): Promise<ListedSite[]> {
  const facts = await selectSiteFacts(
    ctx.db,
    sites.map(({ id }) => id),
    mostShows,
  );
  return sites.flatMap((site) => {
    const known = facts.get(site.id);
    return known === undefined ? [] : [{ ...site, ...known }];
  });
}

/** The signed-in user's site with this home address, connected or not. */
export async function findSiteAt(ctx: Context, siteUrl: string): Promise<ListedSite | undefined> {
  const userId = requireUser(ctx);
  const site = await selectSiteAt(ctx.db, { userId, siteUrl }, ctx.clock.now());
  if (site === undefined) return undefined;
  const [found] = await withFacts(ctx, [site], null);
  return found;
}

interface SitesQuery {
  /** Undefined: the sites of all users, for the operator. */
  readonly userId?: string | undefined;
  readonly limit: number;
  readonly after?: SitePosition | undefined;
}

/**
 * Lists sites, newest first, also those that are not connected any more. Each has its first shows;
 * `getSite` has all.
 */
export async function listSites(
  ctx: Context,
  { userId, limit, after }: SitesQuery,
): Promise<Page<ListedSite, SitePosition>> {
  if (userId === undefined) requireOperator(ctx);
  else requireSelf(ctx, userId);
  const now = ctx.clock.now();
  const rows = await selectSites(ctx.db, { userId, limit: limit + 1, after }, now);
  const { items, next } = toPage(rows, limit, ({ createdAt, id }) => ({ createdAt, id }));
  return { items: await withFacts(ctx, items, mostListedShows), next };
}

/** What a site of the acting user has posted, the last report first. */
export async function listSitePosts(
  ctx: Context,
  siteId: string,
  { limit, after }: { readonly limit: number; readonly after?: PostPosition | undefined },
): Promise<Page<ListedPost, PostPosition>> {
  const site = await getOwnSite(ctx, siteId);
  const rows = await selectPosts(ctx.db, site.id, { limit: limit + 1, after });
  return toPage(rows, limit, ({ reportedAt, episodeId }) => {
    return { createdAt: reportedAt, id: episodeId };
  });
}
