import { createYielder } from '../../../../lib/time-slices.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { DomainError, notFound, requireFound } from '../../../foundation/errors.ts';
import {
  findPublicPodcast,
  listEpisodesById,
  type PublicPodcast,
} from '../../../public/catalogue/index.ts';
import {
  type Compared,
  deleteFollowedShow,
  type EpisodeChange,
  type EpisodeToCompare,
  insertChanges,
  insertTombstones,
  lockSite,
  renumberWithheld,
  replaceComparison,
  selectEpisodesToCompare,
  selectUserOfSite,
  startOver,
} from './changes.sql.ts';
import { keepContents } from './contents.sql.ts';
import {
  creditedUserOf,
  type FollowedShow,
  settingsOf,
  shortHash,
  stateOf,
} from './followed-show.ts';
import { type FeedState, maxCandidates, selectFeedState } from './followed-shows.sql.ts';
import { scanStart, selectEnded, selectPeopleHash, selectScan } from './scans.sql.ts';
import { hashContent, type KeptContent, toKeptContent, toSiteEpisode } from './site-episode.ts';
import { type Limited, queueForUser } from './site-queue.ts';

/**
 * Of one request, or one ping: a show of 5,000 episodes. What is compared stays compared, so the
 * next one continues. A show that changes faster than it is compared would keep a request at work.
 */
export const mostReconciliations = 50;
/** More numbers than a backup can be behind. */
const lostNumbers = 1_000_000;
/** More than other changes, because tombstones need no content. */
const tombstonesAtOnce = 5_000;
/**
 * A show counts as at least so many episodes, because it costs some six statements even if nothing has
 * changed: otherwise a site with 1,000 empty shows would be compared in one transaction.
 */
const leastOfShow = 5;

interface Reconciled {
  /** The newest number of the site. */
  readonly seq: number;
  /** True if there is more to compare. */
  readonly isBehind: boolean;
}

/**
 * Compares what a site was told with the present state, and numbers the differences: one piece of
 * the work in one transaction, after earlier calls for the sites of its user (`queueForUser`). Throws
 * not_found. Checks no permission.
 */
export async function reconcileSite(
  ctx: Context,
  siteId: string,
  limited?: Limited,
): Promise<Reconciled> {
  const userId = requireFound(await selectUserOfSite(ctx.db, siteId), 'site');
  return queueForUser(userId, () => transact(ctx, (tx) => reconcile(tx, siteId)), limited);
}

/** What a request says that can't know yet what is in the feed. */
export function stillComparing(): DomainError {
  const message = "This site's podcasts are being compared with what it was sent. Try again.";
  return new DomainError('service_unavailable', message, { retryAfterSeconds: 1 });
}

async function reconcile(tx: Context, siteId: string): Promise<Reconciled> {
  const isThere = await lockSite(tx.db, siteId);
  // A separate statement, so that its snapshot includes the work of the last holder of the lock.
  const feed = isThere ? await selectFeedState(tx.db, siteId, tx.clock.now()) : undefined;
  if (feed === undefined) throw notFound('site');
  const { headSeq, comparedHistory, history } = feed;
  if (comparedHistory !== history) {
    const gap = comparedHistory === null ? 0 : lostNumbers;
    const moved = await startOver(tx.db, siteId, { history, gap });
    return { seq: headSeq + moved, isBehind: true };
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
    looked += Math.max(work.looked, leastOfShow);
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

/** A site, read after it was locked. */
interface LockedSite extends Omit<FeedState, 'shows'> {
  readonly id: string;
}

interface Work {
  /** The number of episodes that were compared. */
  readonly looked: number;
  /** The number of changes that got a number. */
  readonly numbered: number;
  /** It ended a full comparison. Episodes may have changed since that began. */
  readonly endedScan?: boolean;
}

/** The episodes of one comparison, and the state that is reached when it is stored. */
interface Piece {
  readonly episodeIds: readonly string[];
  readonly reached: Compared;
}

/** True if a comparison of this live show may find something. */
function isBehind(
  { installation }: Pick<Context, 'installation'>,
  site: Pick<FeedState, 'userId' | 'transcripts'>,
  show: FollowedShow,
): boolean {
  const { compared } = show;
  if (compared === undefined || compared.scanned !== null) return true;
  return (
    candidatesOf(show).length > 0 || !hasSettings(compared, settingsOf(installation, site, show))
  );
}

/** What may differ since the last comparison: changed episodes (or the show), and those that fell due. */
function candidatesOf({ changed, due }: FollowedShow): readonly string[] {
  return [...new Set([...changed, ...due])];
}

/**
 * Compares a live show with what the site was told, and numbers the differences: those of all
 * candidates, or of the next 100 episodes in a full comparison.
 */
async function compareShow(tx: Context, site: LockedSite, show: FollowedShow): Promise<Work> {
  const podcast = await findPublicPodcast(tx, show.podcastId);
  // The show was deleted in the meantime; the next comparison handles that.
  if (podcast === undefined) return { looked: 0, numbered: 0 };
  const { episodeIds, reached } = await choosePiece(tx, site, show, podcast);
  const of = { siteId: site.id, podcastId: podcast.id };
  const { changes, contents } = await findChanges(tx, site, { show, podcast }, episodeIds, reached);
  if (contents.length > 0) await keepContents(tx.db, contents, tx.clock.now());
  if (changes.length > 0) await insertChanges(tx.db, of, changes, tx.clock.now());
  await replaceComparison(tx.db, of, reached);
  const endedScan = reached.scanned === null && reached.snapshot !== site.snapshot;
  return { looked: episodeIds.length, numbered: changes.length, endedScan };
}

async function choosePiece(
  tx: Context,
  site: LockedSite,
  show: FollowedShow,
  podcast: PublicPodcast,
): Promise<Piece> {
  const { podcastId, compared, moment: asOf } = show;
  const settings = settingsOf(tx.installation, site, show);
  const of = { siteId: site.id, podcastId, creditedUserId: creditedUserOf(show, site.userId) };
  const { snapshot } = site;
  if (isWhole(compared) && hasSettings(compared, settings)) {
    const { scanned, commonHash } = compared;
    if (scanned !== null) return scan(tx, of, { ...compared, scanned });
    const candidates = candidatesOf(show);
    const common = candidates.includes(podcastId)
      ? await hashCommon(tx, settings, podcast)
      : commonHash;
    const episodeIds = candidates.filter((id) => id !== podcastId);
    if (common === commonHash && episodeIds.length <= maxCandidates) {
      return { episodeIds, reached: { snapshot, asOf, commonHash, scanned: null } };
    }
  }
  const commonHash = await hashCommon(tx, settings, podcast);
  return scan(tx, of, { snapshot, asOf, commonHash, scanned: scanStart });
}

function isWhole(
  compared: FollowedShow['compared'],
): compared is Omit<Compared, 'scanned'> & Pick<NonNullable<FollowedShow['compared']>, 'scanned'> {
  return compared != null && compared.snapshot !== null && compared.commonHash !== null;
}

/**
 * The next episodes of a full comparison: first public ones, then those that the site has and that
 * are not public any more.
 */
async function scan(
  { db }: Context,
  of: Readonly<{ siteId: string; podcastId: string; creditedUserId: string | undefined }>,
  begun: Compared & { readonly scanned: NonNullable<Compared['scanned']> },
): Promise<Piece> {
  const { asOf, scanned: after } = begun;
  const found = await selectScan(db, of.podcastId, { after, asOf }, maxCandidates);
  const scanned = found.at(-1) ?? after;
  const room = maxCandidates - found.length;
  const episodeIds = found.map(({ id }) => id);
  if (room === 0) return { episodeIds, reached: { ...begun, scanned } };
  const ended = await selectEnded(db, { ...of, asOf }, room);
  const isDone = ended.length < room;
  return {
    // An episode may be in both results, because it changed between the two statements.
    episodeIds: [...new Set([...episodeIds, ...ended])],
    reached: { ...begun, scanned: isDone ? null : scanned },
  };
}

/** A hash of everything that all episodes take from their podcast. */
async function hashCommon(
  { db }: Context,
  settings: string,
  { id, slug, domain, artwork, roster }: PublicPodcast,
): Promise<string> {
  const people = await selectPeopleHash(db, id);
  const credits = roster.map(({ name, role, photo }) => [name, role, photo]);
  return `${settings}.${shortHash([slug, artwork, credits, people, ...(domain === null ? [] : [domain])])}`;
}

function hasSettings(
  { commonHash }: NonNullable<FollowedShow['compared']>,
  settings: string,
): boolean {
  return commonHash?.startsWith(`${settings}.`) === true;
}

async function findChanges(
  tx: Context,
  site: LockedSite,
  { show, podcast }: { readonly show: FollowedShow; readonly podcast: PublicPodcast },
  episodeIds: readonly string[],
  { asOf }: Compared,
): Promise<{ changes: EpisodeChange[]; contents: KeptContent[] }> {
  const of = { siteId: site.id, podcastId: podcast.id };
  if (episodeIds.length === 0) return { changes: [], contents: [] };
  const creditedUserId = creditedUserOf(show, site.userId);
  const episodes = await listEpisodesById(tx, podcast, episodeIds, new Date(asOf));
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  const maybeYield = createYielder();
  const changes: EpisodeChange[] = [];
  const contents: KeptContent[] = [];
  for (const known of await selectEpisodesToCompare(tx.db, of, episodeIds, creditedUserId)) {
    await maybeYield();
    const { episodeId } = known;
    const episode = known.isSeen ? byId.get(episodeId) : undefined;
    if (episode === undefined) {
      const reason = reasonToEnd(known);
      if (reason !== undefined) changes.push({ episodeId, hash: null, reason });
      continue;
    }
    const content = toSiteEpisode(podcast, episode, site);
    const hash = hashContent(tx.installation, content);
    if (hash === known.hash) continue;
    changes.push({ episodeId, hash, reason: null });
    contents.push(toKeptContent(hash, content));
  }
  return { changes, contents };
}

/** Undefined if the site does not have the episode, or has detached it. */
function reasonToEnd({
  exists,
  isSeen,
  hash,
  reason,
}: EpisodeToCompare): EpisodeChange['reason'] | undefined {
  if (hash === null && reason !== 'unpublished') return undefined;
  const now = exists ? (isSeen ? 'unpublished' : 'show_removed') : 'deleted';
  return now === reason ? undefined : now;
}
