import { type Page, toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import { requireOperator, requireSelf } from '../principal.ts';
import { withFacts } from './get-site.ts';
import type { ListedSite } from './listed-site.ts';
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
