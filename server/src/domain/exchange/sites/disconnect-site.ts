import { changeKeys, revokeSiteKey } from '../../access/keys/index.ts';
import { lockUser } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { notFound } from '../../foundation/errors.ts';
import { getOwnSite, getSite } from './list-sites.ts';
import type { ListedSite } from './listed-site.ts';
import { updateRevocation } from './posts.sql.ts';
import { isConnected, requireOwnSite } from './site.ts';

export interface RevokedSite {
  readonly siteId: string;
  readonly revokedAt: Date;
}

/**
 * Called by the site itself: its key ends with the next request; its posts stay as they are. Works
 * with any plan. Two concurrent calls both succeed and return the same time.
 */
export async function disconnectSite(ctx: Context, siteId: string): Promise<RevokedSite> {
  const { site, userId, keyId } = requireOwnSite(ctx, 'site.act', siteId);
  return transact(ctx, async (tx) => {
    await lockUser(tx, userId);
    await revokeSiteKey(tx, keyId);
    const now = tx.clock.now();
    const revokedAt = await updateRevocation(tx.db, { siteId: site.id, keyId, now });
    // The address was connected again in the meantime, with a new key.
    if (revokedAt === undefined) throw notFound('site');
    return { siteId: site.id, revokedAt };
  });
}

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
