import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import {
  type Claim,
  type ClaimRequest,
  releaseLostClaims,
} from '../../foundation/sending/index.ts';

/** Longer than anything waits in these queues, unless the clock was set back. */
export const longestFeedWait = sql`interval '13 hours'`;

/** Feeds are compared for these podcasts, and for those of these accounts. */
export interface ConcernedFeeds {
  readonly podcastIds: readonly string[];
  readonly accountIds?: readonly string[];
}

/**
 * Makes feeds due to be compared. By podcasts_pkey and podcasts_of_account. In the order of their
 * ids, to avoid deadlocks.
 */
export async function makeFeedsDue(
  db: Db,
  { podcastIds, accountIds = [] }: ConcernedFeeds,
  now: Date,
): Promise<void> {
  if (podcastIds.length + accountIds.length === 0) return;
  await sql`
    insert into feed_states as feed (podcast_id, due_at)
    select id, ${now} from podcasts
    where id = any (${podcastIds}::uuid[]) or account_id = any (${accountIds}::uuid[])
    order by id
    on conflict (podcast_id) do update set due_at = excluded.due_at
    where feed.due_at is null or feed.due_at > excluded.due_at`.execute(db);
}

/** Whether a feed is to be compared. By feed_states_due. */
export async function hasDueFeeds(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from feed_states
      where due_at is not null and due_at <= ${now} and claim is null) as "isDue"`.execute(db);
  return rows[0]?.isDue === true;
}

/** The right to compare a feed. */
export interface FeedClaim extends Claim {
  readonly podcastId: string;
}

/** By feed_states_due. */
export async function claimFeeds(
  db: Db,
  { id, at, until, limit, first }: ClaimRequest,
): Promise<FeedClaim[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ podcastId: string }>`
    with due as (
      select podcast_id from feed_states
      where due_at is not null and due_at <= ${at} and claim is null
      order by due_at ${direction} limit ${limit} for update skip locked
    )
    update feed_states feed set due_at = null, claim = ${id}, claimed_until = ${until}
    from due where feed.podcast_id = due.podcast_id
    returning feed.podcast_id as "podcastId"`.execute(db);
  return rows.map(({ podcastId }) => ({ id, podcastId }));
}

/** What the public gets at a feed's URL, as a comparison has found it. */
export interface ComparedState {
  /** Null: nothing. */
  readonly digest: Buffer | null;
  /** When it changes next although nobody changes anything; null: it doesn't. */
  readonly nextChangeAt: Date | null;
}

/** A feed isn't due later than this, so that `releaseLostFeeds` leaves it. */
const longestUntilChange = sql`interval '12 hours'`;

/** What a claim has found. */
export interface Comparison {
  readonly claim: FeedClaim;
  readonly state: ComparedState;
}

/** `hasChanged`: the digest is another one than before; undefined: the claim has ended. */
export interface EndedComparison {
  readonly podcastId: string;
  readonly digest: Buffer | null;
  readonly hasChanged: boolean | undefined;
}

/** Stores what comparisons have found. In the order of their ids, to avoid deadlocks. */
export async function endComparisons(
  db: Db,
  comparisons: readonly Comparison[],
  now: Date,
): Promise<EndedComparison[]> {
  const ids = comparisons.map(({ claim }) => claim.podcastId);
  const claims = comparisons.map(({ claim }) => claim.id);
  const digests = comparisons.map(({ state }) => state.digest);
  const changes = comparisons.map(({ state }) => state.nextChangeAt);
  const { rows } = await sql<{ place: number; hasChanged: boolean }>`
    with before as (
      select feed.podcast_id, feed.digest, compared.digest as found, compared.next_change_at,
        compared.place
      from unnest(${ids}::uuid[], ${claims}::uuid[], ${digests}::bytea[], ${changes}::timestamptz[])
        with ordinality compared (podcast_id, claim, digest, next_change_at, place)
      join feed_states feed on feed.podcast_id = compared.podcast_id
        and feed.claim = compared.claim
      order by feed.podcast_id for update of feed
    )
    update feed_states feed set claim = null, claimed_until = null, digest = before.found,
      due_at = least(feed.due_at, case when before.next_change_at is not null then
        least(before.next_change_at, ${now}::timestamptz + ${longestUntilChange}) end),
      changed_at = case when before.digest is distinct from before.found
        then ${now} else feed.changed_at end
    from before where feed.podcast_id = before.podcast_id
    returning before.place, before.digest is distinct from before.found as "hasChanged"`.execute(
    db,
  );
  const ended = new Map(rows.map(({ place, hasChanged }) => [place, hasChanged]));
  return comparisons.map(({ claim: { podcastId }, state: { digest } }, index) => ({
    ...{ podcastId, digest },
    hasChanged: ended.get(index + 1),
  }));
}

/** Nothing was compared. The feed is due again at `dueAt` or earlier. */
export async function releaseFeed(
  db: Db,
  { id, podcastId }: FeedClaim,
  dueAt: Date,
): Promise<void> {
  await sql`
    update feed_states set claim = null, claimed_until = null, due_at = least(due_at, ${dueAt})
    where podcast_id = ${podcastId} and claim = ${id}`.execute(db);
}

export const releaseLostFeeds = (db: Db, now: Date): Promise<void> =>
  releaseLostClaims(db, 'feed_states', { now, longest: longestFeedWait });

/** By feed_states_due. */
export async function hastenFeeds(db: Db, now: Date): Promise<void> {
  await sql`
    update feed_states set due_at = ${now}
    where due_at is not null and due_at > ${now}::timestamptz + ${longestFeedWait}`.execute(db);
}
