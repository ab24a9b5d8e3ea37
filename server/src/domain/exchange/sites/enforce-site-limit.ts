import { maxSites } from '../../../lib/limits.ts';
import type { Context } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { Site } from './site.ts';
import { countConnectedSites, selectSiteAt } from './sites.sql.ts';

/**
 * Refuses (`site_limit`) a home address that would be a user's 51st connected site. Returns the
 * site with that address, if there is one. Only final in a transaction that has locked the user.
 */
export async function enforceSiteLimit(
  ctx: Context,
  address: Pick<Site, 'userId' | 'siteUrl'>,
): Promise<Site | undefined> {
  const now = ctx.clock.now();
  const before = await selectSiteAt(ctx.db, address, now);
  if (before?.status === 'pending' || before?.status === 'active') return before;
  if ((await countConnectedSites(ctx.db, address.userId, now)) < maxSites) return before;
  throw invalid('site_url', sayRefusal('site_limit', { max: maxSites }), 'site_limit');
}
