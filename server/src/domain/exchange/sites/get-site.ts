import type { Context } from '../../foundation/context.ts';
import { notFound, requireFound } from '../../foundation/errors.ts';
import { mayActFor, requireUser } from '../../foundation/principal.ts';
import type { ListedSite } from './listed-site.ts';
import type { Site } from './site.ts';
import { selectSiteFacts } from './site-facts.sql.ts';
import { selectSite, selectSiteAt } from './sites.sql.ts';

/** Throws not_found for a site that is not the acting user's. */
export async function getSite(ctx: Context, siteId: string): Promise<ListedSite> {
  const [site] = await withFacts(ctx, [await getOwnSite(ctx, siteId)]);
  return requireFound(site, 'site');
}

/** The same without the facts of other tables. */
export async function getOwnSite(ctx: Context, siteId: string): Promise<Site> {
  const site = await selectSite(ctx.db, siteId, ctx.clock.now());
  if (site === undefined || !mayActFor(ctx, site.userId)) throw notFound('site');
  return site;
}

/** Leaves out sites that were deleted meanwhile, with their user. */
export async function withFacts(ctx: Context, sites: readonly Site[]): Promise<ListedSite[]> {
  const facts = await selectSiteFacts(
    ctx.db,
    sites.map(({ id }) => id),
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
  const [found] = await withFacts(ctx, [site]);
  return found;
}
