import type { Context } from '../../../foundation/context.ts';
import { DomainError, invalid, requireFound } from '../../../foundation/errors.ts';
import { requireOwnSite } from '../site.ts';
import { updateWithheld } from './changes.sql.ts';
import { selectContents } from './contents.sql.ts';
import { type CalledFeed, type ChangeRow, callFeed, type FeedCall } from './followed-shows.sql.ts';
import {
  hasEnded,
  hasWork,
  mostReconciliations,
  reconcileSite,
  stillComparing,
} from './reconcile-site.ts';
import type { SiteChange, SiteChangePage, SiteEpisode } from './site-episode.ts';

/**
 * Lists a site's changes after a position, in the order of their numbers. A page of long texts has
 * fewer than `limit`. Finds what is new first, and notes the call. If that takes long, the page has
 * what was found; an empty one would say that nothing is new, so that is service_unavailable.
 * Throws not_found for another site, plan_upgrade_required if the plans of all its shows keep them
 * back, and `unknown_position`.
 */
export async function listChanges(
  ctx: Context,
  siteId: string,
  call: FeedCall,
): Promise<SiteChangePage> {
  requireOwnSite(ctx, 'site.read_changes', siteId);
  let isCompared = false;
  for (let round = 0; round <= mostReconciliations; round += 1) {
    const feed = requireFound(await callFeed(ctx.db, siteId, call, ctx.clock.now()), 'site');
    refuseCall(feed, call);
    const isEnd = round === mostReconciliations;
    const wanted = isEnd ? 1 : call.limit;
    const isFull = round > 0 && feed.page.length >= wanted;
    if (maySend(ctx, feed, isCompared || isFull)) {
      const page = await readPage(ctx, call, feed.page);
      if (page !== undefined) {
        await recordWithheld(ctx, siteId, feed, call);
        return page;
      }
    }
    if (isEnd) break;
    const { isBehind } = await reconcileSite(ctx, siteId);
    isCompared = !isBehind;
  }
  throw stillComparing();
}

/**
 * `isEnough`: the page may lack new changes. It never contains what the site may not read any more.
 */
function maySend(ctx: Context, feed: CalledFeed, isEnough: boolean): boolean {
  const work = feed.shows.filter((show) => hasWork(ctx, feed, show));
  if (work.some(hasEnded)) return false;
  return isEnough || (work.length === 0 && feed.comparedHistory === feed.history);
}

function refuseCall(feed: CalledFeed, { after }: FeedCall): void {
  const followed = feed.shows.filter((show) => !hasEnded(show));
  if (followed.length > 0 && followed.every(({ isReadable }) => !isReadable)) {
    if (followed.every(({ planIncludesApi }) => planIncludesApi)) {
      throw new DomainError(
        'forbidden',
        "The podcasts' owners do not allow this site's key to read them.",
      );
    }
    const message = "The plans of this site's podcasts have lapsed or do not include the API.";
    throw new DomainError('plan_upgrade_required', message);
  }
  if (feed.isLostPosition || after > feed.headSeq) {
    throw invalid(
      'after',
      'This site was never given this position. Start at 0.',
      'unknown_position',
    );
  }
}

/**
 * Before a page goes out that leaves out a show's contents. A refused call leaves nothing out: its
 * reader stays where it is, so nothing needs a new number when the show may be read again.
 */
async function recordWithheld(
  { db }: Context,
  siteId: string,
  { shows }: CalledFeed,
  { after }: FeedCall,
): Promise<void> {
  const withheld = shows.filter(({ isReadable, compared }) => !isReadable && compared);
  const ids = withheld.map(({ podcastId }) => podcastId);
  if (ids.length > 0) await updateWithheld(db, siteId, ids, after);
}

/** Undefined if a content is gone, because the change that named it has been replaced since. */
async function readPage(
  { db }: Context,
  { after }: FeedCall,
  rows: readonly ChangeRow[],
): Promise<SiteChangePage | undefined> {
  const hashes = rows.flatMap(({ hash }) => hash ?? []);
  const contents = hashes.length === 0 ? new Map() : await selectContents(db, hashes);
  const last = rows.findIndex(({ hash }) => hash !== null && !contents.has(hash));
  if (last === 0) return undefined;
  const changes = (last === -1 ? rows : rows.slice(0, last)).map((row) => toChange(row, contents));
  return { cursor: changes.at(-1)?.seq ?? after, changes };
}

function toChange(row: ChangeRow, contents: ReadonlyMap<string, SiteEpisode>): SiteChange {
  const { seq, episodeId, podcastId, hash, reason } = row;
  const change = { seq, episodeId, podcastId, changedAt: new Date(row.changedAt) };
  const episode = hash === null ? undefined : contents.get(hash);
  if (hash !== null && episode !== undefined) return { ...change, contentHash: hash, episode };
  if (reason === null) throw new Error('a change has neither a content nor a reason');
  return { ...change, contentHash: null, reason };
}
