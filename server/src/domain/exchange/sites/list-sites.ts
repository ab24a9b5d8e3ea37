import { type Page, toPage } from '../../../lib/page.ts';
import type { Context } from '../../foundation/context.ts';
import { requireOperator, requireSelf } from '../../foundation/principal.ts';
import { getOwnSite, withFacts } from './get-site.ts';
import type { ListedSite } from './listed-site.ts';
import { type ListedPost, type PostPosition, selectPosts } from './posts.sql.ts';
import { type SitePosition, selectSites } from './sites.sql.ts';

interface SitesQuery {
  /** Undefined: the sites of all users, for the operator. */
  readonly userId?: string | undefined;
  readonly limit: number;
  readonly after?: SitePosition | undefined;
}

/** Lists sites, newest first, also those that are not connected any more. */
export async function listSites(
  ctx: Context,
  { userId, limit, after }: SitesQuery,
): Promise<Page<ListedSite, SitePosition>> {
  if (userId === undefined) requireOperator(ctx);
  else requireSelf(ctx, userId);
  const now = ctx.clock.now();
  const rows = await selectSites(ctx.db, { userId, limit: limit + 1, after }, now);
  const { items, next } = toPage(rows, limit, ({ createdAt, id }) => ({ createdAt, id }));
  return { items: await withFacts(ctx, items), next };
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
