import type { Context } from '../context.ts';
import { requireUser } from '../principal.ts';
import { withFacts } from './get-site.ts';
import type { ListedSite } from './listed-site.ts';
import { selectSiteAt } from './sites.sql.ts';

/** The signed-in user's site with this home address, connected or not. */
export async function findSiteAt(ctx: Context, siteUrl: string): Promise<ListedSite | undefined> {
  const userId = requireUser(ctx);
  const site = await selectSiteAt(ctx.db, { userId, siteUrl }, ctx.clock.now());
  if (site === undefined) return undefined;
  const [found] = await withFacts(ctx, [site]);
  return found;
}
