import { changeKeys, changeSitePodcasts } from '../../access/keys/index.ts';
import type { Context } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { requireConnectable } from './connectable-shows.ts';
import { getOwnSite, getSite } from './list-sites.ts';
import type { ListedSite } from './listed-site.ts';
import { mayStay } from './listed-site.ts';
import { schedulePing } from './pings/index.ts';
import { isConnected } from './site.ts';

/**
 * Gives a site exactly these shows, from its next request on. Present shows may stay; a new one
 * must be connectable (`podcasts`). An empty list leaves the site connected: it learns that its
 * shows are gone, and keeps their posts.
 */
export async function changeShows(
  ctx: Context,
  siteId: string,
  podcastIds: readonly string[],
): Promise<ListedSite> {
  const { userId } = await getOwnSite(ctx, siteId);
  const wanted = [...new Set(podcastIds.map((id) => id.toLowerCase()))];
  return changeKeys(ctx, userId, undefined, async (tx) => {
    const site = await getSite(tx, siteId);
    if (!isConnected(site)) {
      throw invalid('site_id', sayRefusal('site_not_connected'), 'not_connected');
    }
    const idsOf = (stay: boolean) =>
      site.shows.filter((show) => mayStay(show) === stay).map(({ id }) => id);
    const present = idsOf(true);
    const added = wanted.filter((id) => !present.includes(id));
    refuseCutOff(added.filter((id) => idsOf(false).includes(id)));
    if (added.length > 0) await requireConnectable(tx, userId, added);
    const removed = present.filter((id) => !wanted.includes(id));
    await changeSitePodcasts(tx, site, { added, removed });
    await schedulePing(tx, siteId);
    return getSite(tx, siteId);
  });
}

/** A podcast cannot be added again to a key that was cut off from it (KEY-16). */
function refuseCutOff(podcastIds: readonly string[]): void {
  if (podcastIds.length === 0) return;
  const message = 'The owner cut off this connection from a show. Connect the site again to add it';
  throw invalid('podcasts', `${message}: ${podcastIds.join(', ')}.`, 'cut_off');
}
