import { maxSites } from '../../../lib/limits.ts';
import { type Page, toPage } from '../../../lib/list-page.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { maxNamedPodcasts } from '../../access/keys/index.ts';
import type { Context } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { PodcastPosition } from '../../publishing/podcasts/index.ts';
import type { Site } from './site.ts';
import {
  countConnectedSites,
  type ManagedShow,
  selectManagedShows,
  selectSiteAt,
} from './sites.sql.ts';

/**
 * The shows that the signed-in user owns or administers, oldest first; those with an obstacle
 * cannot be connected.
 */
export async function listConnectableShows(
  ctx: Context,
  { limit, after }: { readonly limit: number; readonly after?: PodcastPosition | undefined },
): Promise<Page<ManagedShow, PodcastPosition>> {
  const rows = await selectManagedShows(ctx.db, requireUser(ctx), { limit: limit + 1, after });
  return toPage(rows, limit, ({ createdAt, id }) => ({ createdAt, id }));
}

/**
 * Returns these ids, oldest podcast first. Refuses (`podcasts`) an empty list, and podcasts that
 * the user cannot connect.
 */
export async function requireConnectable(
  ctx: Context,
  userId: string,
  podcastIds: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(podcastIds.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) throw invalid('podcasts', sayRefusal('choose_a_show'));
  if (wanted.length > maxNamedPodcasts) {
    throw invalid('podcasts', `A site can show at most ${maxNamedPodcasts} podcasts.`);
  }
  const query = { limit: maxNamedPodcasts, podcastIds: wanted.filter(isUuid) };
  const managed = await selectManagedShows(ctx.db, userId, query);
  const connectable = managed.filter(({ obstacle }) => obstacle === null).map(({ id }) => id);
  const refused = wanted.filter((id) => !connectable.includes(id));
  if (refused.length === 0) return connectable;
  const message =
    'Only its owner or an admin can connect a show, and only if it is hosted here and its plan includes the API';
  throw invalid('podcasts', `${message}: not ${refused.join(', ')}.`);
}

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
