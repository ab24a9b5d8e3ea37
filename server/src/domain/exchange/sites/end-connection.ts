import { changeKeys, revokeSiteKey } from '../../access/keys/index.ts';
import type { Context } from '../../foundation/context.ts';
import { getOwnSite, getSite } from './get-site.ts';
import { isConnected } from './is-connected.ts';
import type { ListedSite } from './listed-site.ts';

/**
 * Disconnects a site for its user or the operator: its key ends with the next request. Its record
 * of posts stays. No effect on a site that is not connected.
 */
export async function endConnection(ctx: Context, siteId: string): Promise<ListedSite> {
  const { userId } = await getOwnSite(ctx, siteId);
  return changeKeys(ctx, userId, undefined, async (tx) => {
    const site = await getOwnSite(tx, siteId);
    if (isConnected(site)) await revokeSiteKey(tx, site.keyId);
    return getSite(tx, siteId);
  });
}
