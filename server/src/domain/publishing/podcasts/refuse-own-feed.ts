import { requestedHost } from '../../../lib/host-name.ts';
import { ownPaths } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { isOwnAddress } from '../../foundation/own-addresses.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { lockMoves, selectMoveOfSlug, selectSlugOfDomain } from './podcasts.sql.ts';

const mostMoves = 20;

/**
 * Throws if the new feed's address leads back to the podcast: to its own feed, under any slug it
 * has or had, or to the feed of another show here that leads there. Call it in the transaction,
 * after all other changes to the podcast.
 */
export async function refuseOwnFeed(
  ctx: Context,
  podcastId: string,
  { newFeedUrl }: { readonly newFeedUrl?: string | null | undefined },
): Promise<void> {
  let slug = await ownSlugOf(ctx, newFeedUrl);
  // Two shows may move to each other at the same time.
  if (slug !== undefined) await lockMoves(ctx.db);
  for (let moves = 0; slug !== undefined; moves += 1) {
    const next = await selectMoveOfSlug(ctx.db, slug);
    if (next?.podcastId === podcastId || moves === mostMoves) throw leadsBack(moves);
    slug = await ownSlugOf(ctx, next?.newFeedUrl);
  }
}

function leadsBack(moves: number): Error {
  return invalid('new_feed_url', sayRefusal(moves === 0 ? 'own_feed' : 'feed_leads_back'));
}

/**
 * Whether the feed that a moved podcast redirects to redirects back to it, perhaps over others. A
 * domain that was verified later, or another BASE_URL, can make this of URLs that `refuseOwnFeed`
 * has accepted.
 */
export async function isRedirectedBack(
  ctx: Context,
  podcastId: string,
  newFeedUrl: string,
): Promise<boolean> {
  let slug = await ownSlugOf(ctx, newFeedUrl);
  for (let moves = 0; slug !== undefined && moves < mostMoves; moves += 1) {
    const next = await selectMoveOfSlug(ctx.db, slug);
    if (next?.podcastId === podcastId) return true;
    slug = next?.status === 'moved' ? await ownSlugOf(ctx, next.newFeedUrl) : undefined;
  }
  return false;
}

/** Undefined if the address is not a feed of this installation. */
async function ownSlugOf(
  ctx: Context,
  address: string | null | undefined,
): Promise<string | undefined> {
  if (address == null) return undefined;
  const path = readPath(address);
  if (isOwnAddress(ctx.installation, address) || isTarget(ctx, address))
    return /^\/feeds\/([a-z0-9-]+)\.xml$/.exec(path)?.[1];
  return path === ownPaths.feed ? await findSlugAtDomain(ctx, address) : undefined;
}

/** Own domains lead there, so the service responds there, too. */
function isTarget({ installation }: Context, address: string): boolean {
  const host = requestedHost(URL.parse(address)?.hostname ?? '');
  return host !== undefined && installation.domainTarget.includes(host);
}

/** The slug of the show at whose verified domain this URL is. */
export async function findSlugAtDomain(
  { db }: Context,
  address: string,
): Promise<string | undefined> {
  const host = requestedHost(URL.parse(address)?.hostname ?? '');
  return host === undefined ? undefined : await selectSlugOfDomain(db, host);
}

function readPath(address: string): string {
  const path = URL.parse(address)?.pathname ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
