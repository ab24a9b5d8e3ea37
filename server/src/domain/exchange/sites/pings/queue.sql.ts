import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import {
  type Claim,
  type ClaimRequest,
  type FailureLane,
  releaseLostClaims,
} from '../../../foundation/sending/index.ts';
import { siteStatus, sitesWithKeys } from '../sites.sql.ts';

/** Longer than any retry waits: no ping can be due after this, unless the clock was set back. */
const longestWait = sql`interval '25 hours'`;

/** The lanes: sites whose last ping arrived, and those whose last one failed. */
const isIn: Readonly<Record<FailureLane, RawBuilder<unknown>>> = {
  regular: sql`due_at is not null and failures = 0`,
  retry: sql`due_at is not null and failures > 0`,
};

/**
 * The lanes in which pings are due. By site_pings_due and site_pings_to_retry, with one index
 * look-up each.
 */
export async function selectPingWork(db: Db, now: Date): Promise<FailureLane[]> {
  const isDue = sql`due_at <= ${now} and claim is null`;
  const { rows } = await sql<Record<FailureLane, boolean>>`
    select exists (select from site_pings where ${isIn.regular} and ${isDue}) as regular,
      exists (select from site_pings where ${isIn.retry} and ${isDue}) as retry`.execute(db);
  const [due] = rows;
  return (['regular', 'retry'] as const).filter((lane) => due?.[lane]);
}

export interface PingClaim extends Claim {
  readonly siteId: string;
}

/**
 * Claims due pings of a lane. Deletes those of sites that are not connected any more. Skips rows
 * that another worker is claiming. By site_pings_due or site_pings_to_retry.
 */
export async function claimPings(
  db: Db,
  lane: FailureLane,
  { id, at, until, limit, first }: ClaimRequest,
): Promise<PingClaim[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ siteId: string; claim: string | null }>`
    with due as (
      select site_id from site_pings where ${isIn[lane]} and due_at <= ${at} and claim is null
      order by due_at ${direction} limit ${limit} for update skip locked
    ), active as (
      select due.site_id, ${siteStatus(at)} = 'active' as is_active
      from ${sitesWithKeys} join due on due.site_id = site.id
    )
    update site_pings ping set due_at = null,
      claim = case when is_active then ${id}::uuid end,
      claimed_until = case when is_active then ${until}::timestamptz end
    from active where ping.site_id = active.site_id
    returning ping.site_id as "siteId", ping.claim`.execute(db);
  return rows.flatMap(({ siteId, claim }) => (claim === null ? [] : { id: claim, siteId }));
}

/** A ping as it is sent. */
export interface PingToSend {
  readonly restRoot: string;
  readonly secret: string;
  /** The site's newest. */
  readonly seq: number;
  /** Failures since the last success, or since the site called its feed. */
  readonly failures: number;
}

/**
 * Records that a ping is about to be sent. Undefined if there is nothing to tell: the site was told
 * its newest seq, or has requested later changes. Undefined also if it is not connected any more,
 * or if the claim has ended.
 */
export async function beginPing(
  db: Db,
  { id, siteId }: PingClaim,
  now: Date,
): Promise<PingToSend | undefined> {
  const { rows } = await sql<PingToSend>`
    update site_pings ping set sent_at = ${now}
    from ${sitesWithKeys} left join site_calls call on call.site_id = site.id
    where ping.site_id = ${siteId} and ping.claim = ${id} and site.id = ping.site_id
      and ${siteStatus(now)} = 'active'
      and site.head_seq > greatest(ping.sent_seq, call.after_seq)
    returning site.rest_root as "restRoot", site.ping_secret as secret, site.head_seq as seq,
      ping.failures
  `.execute(db);
  return rows[0];
}

/**
 * The site was told `seq`. If there were changes meanwhile, the next ping is due after ten seconds.
 */
export async function endSentPing(db: Db, { id, siteId }: PingClaim, seq: number): Promise<void> {
  await sql`
    update site_pings set claim = null, claimed_until = null, sent_seq = greatest(sent_seq, ${seq}),
      failures = 0, first_failed_at = null, last_error = null,
      due_at = case when due_at is not null
        then greatest(due_at, sent_at + interval '10 seconds') end
    where site_id = ${siteId} and claim = ${id}`.execute(db);
}

/** `retryAt` null: no retry until the site calls. */
export async function endFailedPing(
  db: Db,
  { id, siteId }: PingClaim,
  failed: {
    readonly failures: number;
    readonly at: Date;
    readonly retryAt: Date | null;
    readonly error: string;
  },
): Promise<void> {
  const { failures, at, retryAt, error } = failed;
  await sql`
    update site_pings set claim = null, claimed_until = null, due_at = ${retryAt},
      failures = ${failures}, first_failed_at = coalesce(first_failed_at, ${at}),
      last_error = ${error}
    where site_id = ${siteId} and claim = ${id}`.execute(db);
}

/** There was nothing to announce, because the site had already called. */
export async function endNeedlessPing(db: Db, { id, siteId }: PingClaim): Promise<void> {
  await sql`
    update site_pings set claim = null, claimed_until = null, failures = 0,
      first_failed_at = null, last_error = null
    where site_id = ${siteId} and claim = ${id}`.execute(db);
}

/** Nothing was sent. The ping is due again at `dueAt` or earlier. */
export async function releasePing(db: Db, { id, siteId }: PingClaim, dueAt: Date): Promise<void> {
  await sql`
    update site_pings set claim = null, claimed_until = null, due_at = least(due_at, ${dueAt})
    where site_id = ${siteId} and claim = ${id}`.execute(db);
}

export const releaseLostPings = (db: Db, now: Date): Promise<void> =>
  releaseLostClaims(db, 'site_pings', { now, longest: longestWait });

/**
 * Makes pings due whose time is too far in the future because the clock was set back. By
 * site_pings_due and site_pings_to_retry.
 */
export async function hastenPings(db: Db, now: Date): Promise<void> {
  for (const isInLane of Object.values(isIn)) {
    await sql`update site_pings set due_at = ${now}
      where ${isInLane} and due_at > ${now}::timestamptz + ${longestWait}`.execute(db);
  }
}

export interface PingBacklog {
  /** Due now, and not being sent. */
  readonly due: number;
  /** Failed last, and will be retried. */
  readonly failing: number;
  /** Given up until the site calls. */
  readonly givenUp: number;
}

export async function countPings(db: Db, now: Date): Promise<PingBacklog> {
  const { rows } = await sql<PingBacklog>`
    select count(*) filter (where due_at <= ${now}) as due,
      count(*) filter (where failures > 0 and (due_at is not null or claim is not null)) as failing,
      count(*) filter (where failures > 0 and due_at is null and claim is null) as "givenUp"
    from site_pings`.execute(db);
  return rows[0] ?? { due: 0, failing: 0, givenUp: 0 };
}
