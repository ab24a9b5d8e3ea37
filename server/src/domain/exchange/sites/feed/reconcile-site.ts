import { type Context, transact } from '../../../foundation/context.ts';
import { notFound } from '../../../foundation/errors.ts';
import {
  deleteFollowedShow,
  insertTombstones,
  lockSite,
  renumberWithheld,
  startOver,
} from './changes.sql.ts';
import { compareShow, isBehind, type LockedSite, type Work } from './compare-show.ts';
import { type FollowedShow, stateOf } from './followed-show.ts';
import { type FeedState, maxCandidates, selectFeedState } from './followed-shows.sql.ts';
import { queueForSite } from './site-queue.ts';

/** More numbers than a backup can be behind. */
const lostNumbers = 1_000_000;
/** More than other changes, because tombstones need no content. */
const tombstonesAtOnce = 5_000;

interface Reconciled {
  /** The newest number of the site. */
  readonly seq: number;
  /** True if there is more to compare. */
  readonly isBehind: boolean;
}

/**
 * Compares what a site was told with the present state, and numbers the differences: one piece of
 * the work in one transaction, after earlier calls for the site. Throws not_found. Checks no
 * permission.
 */
export function reconcileSite(ctx: Context, siteId: string): Promise<Reconciled> {
  return queueForSite(siteId, () => transact(ctx, (tx) => reconcile(tx, siteId)));
}

async function reconcile(tx: Context, siteId: string): Promise<Reconciled> {
  const isThere = await lockSite(tx.db, siteId);
  // A separate statement, so that its snapshot includes the work of the last holder of the lock.
  const feed = isThere ? await selectFeedState(tx.db, siteId, tx.clock.now()) : undefined;
  if (feed === undefined) throw notFound('site');
  const { headSeq, comparedHistory, history } = feed;
  if (comparedHistory !== history) {
    const gap = comparedHistory === null ? 0 : lostNumbers;
    await startOver(tx.db, siteId, { history, gap });
    return { seq: headSeq + gap, isBehind: true };
  }
  const { looked, numbered, endedScan } = await compareShows(tx, { ...feed, id: siteId });
  const isBehind = looked >= maxCandidates || endedScan === true;
  return { seq: headSeq + numbered, isBehind };
}

/** Compares shows until it has looked at enough episodes. */
async function compareShows(
  tx: Context,
  { shows, ...site }: LockedSite & Pick<FeedState, 'shows'>,
): Promise<Work> {
  let [looked, numbered, endedScan] = [0, 0, false];
  for (const show of shows) {
    if (looked >= maxCandidates) break;
    if (!hasWork(tx, site, show)) continue;
    const work = await workOn(tx, site, show);
    looked += work.looked;
    numbered += work.numbered;
    endedScan ||= work.endedScan === true;
  }
  return { looked, numbered, endedScan };
}

async function workOn(tx: Context, site: LockedSite, show: FollowedShow): Promise<Work> {
  if (stateOf(show) !== 'live') return endShow(tx, site, show);
  const { podcastId, withheldAfter: after } = show;
  const renumbered =
    after === null ? 0 : await renumberWithheld(tx.db, { siteId: site.id, podcastId }, after);
  const work = await compareShow(tx, site, show);
  return { ...work, numbered: work.numbered + renumbered };
}

/** Whether the site's changes may be incomplete for this show. */
export function hasWork(
  ctx: Pick<Context, 'installation'>,
  site: Pick<FeedState, 'userId' | 'transcripts'>,
  show: FollowedShow,
): boolean {
  const state = stateOf(show);
  if (state === 'live') return show.withheldAfter !== null || isBehind(ctx, site, show);
  return hasEnded(show) && show.compared !== undefined;
}

/** True if none of its contents may be sent any more. */
export function hasEnded(show: FollowedShow): boolean {
  const state = stateOf(show);
  return state === 'gone' || state === 'lost';
}

/** Writes tombstones for a show that has ended. When all are written, the show is forgotten. */
async function endShow(tx: Context, site: LockedSite, show: FollowedShow): Promise<Work> {
  const of = { siteId: site.id, podcastId: show.podcastId };
  const reason = stateOf(show) === 'gone' ? 'deleted' : 'show_removed';
  const span = { now: tx.clock.now(), limit: tombstonesAtOnce };
  const ended = await insertTombstones(tx.db, of, reason, span);
  if (ended < tombstonesAtOnce) await deleteFollowedShow(tx.db, of);
  return { looked: ended, numbered: ended };
}
