import { sql } from 'kysely';
import { siteOfHost } from '../../../../lib/host-site.ts';
import type { Db } from '../../../foundation/database.ts';
import {
  type Claim,
  type ClaimRequest,
  releaseLostClaims,
} from '../../../foundation/sending/index.ts';
import { longestFeedWait } from '../feed-states.sql.ts';
import { isOfSites } from './hosts-of-sites.sql.ts';
import type { HubRequest } from './hub-request.ts';

/**
 * Between two questions in one line: anybody can have any host asked. A host with a subscription has
 * confirmed that it wants this, and may have subscribers of many shows, so it has a line of its own. The
 * others of a registered domain share one: its owner can have them all lead to somebody else.
 */
const steps = { known: sql`interval '50 milliseconds'`, unknown: sql`interval '1 second'` };
/** For more questions, the host is asked too much already. */
const longestLine = sql`interval '1 minute'`;
/** Between two questions to one callback about one show. */
const pause = sql`interval '10 seconds'`;

/**
 * When the host may be asked next, which moves on; undefined: there is no more room in its line. The
 * row's lock puts requests at the same time in order. By hub_hosts_pkey, hub_subscriptions_of_host.
 */
export async function takeTurnOfHost(db: Db, host: string, now: Date): Promise<Date | undefined> {
  const isKnown = sql`exists (select from hub_subscriptions
    where host = ${host} and expires_at > ${now})`;
  const step = sql`(case when ${isKnown} then ${steps.known} else ${steps.unknown} end)`;
  const end = sql`${now}::timestamptz + ${longestLine}`;
  // Twice as far ahead: the clock was set back.
  const isPast = sql`line.next_at > ${end} + ${longestLine}`;
  const { rows } = await sql<{ turnAt: Date }>`
    insert into hub_hosts as line (host, next_at)
    values (case when ${isKnown} then ${host} else ${siteOfHost(host)} end,
      ${now}::timestamptz + ${step})
    on conflict (host) do update
    set next_at = (case when ${isPast} then ${now} else greatest(line.next_at, ${now}) end) + ${step}
    where line.next_at <= ${end} or ${isPast}
    returning line.next_at - ${step} as "turnAt"`.execute(db);
  return rows[0]?.turnAt;
}

/**
 * The number of callbacks that wait to be asked, up to `most`, and of those of a host's site among them.
 * By hub_requests_due.
 */
export async function countWaitingRequests(
  db: Db,
  host: string,
  most: number,
): Promise<{ readonly all: number; readonly ofSite: number }> {
  const { rows } = await sql<{ all: number; ofSite: number }>`
    select count(*) as all, count(*) filter (where ${isOfSites([siteOfHost(host)])}) as "ofSite"
    from (select host from hub_requests where due_at is not null limit ${most}) waiting`.execute(
    db,
  );
  return rows[0] ?? { all: 0, ofSite: 0 };
}

/** Whether there is anything to end. By the primary keys of both tables. */
export async function hasSubscription(
  db: Db,
  podcastId: string,
  callbackHash: Buffer,
): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select from hub_subscriptions
        where podcast_id = ${podcastId} and callback_hash = ${callbackHash})
      or exists (select from hub_requests where podcast_id = ${podcastId}
        and callback_hash = ${callbackHash} and (due_at is not null or claim is not null))
      as "isThere"`.execute(db);
  return rows[0]?.isThere === true;
}

/** Stores a request. It replaces one of the same callback that was not confirmed yet. */
export async function putHubRequest(
  db: Db,
  podcastId: string,
  callbackHash: Buffer,
  request: HubRequest,
  { turnAt, now }: { readonly turnAt: Date; readonly now: Date },
): Promise<void> {
  const { mode, callback, host, topic, secret, leaseSeconds } = request;
  await sql`
    insert into hub_requests as asked (podcast_id, callback_hash, callback, host, mode, topic,
      secret, lease_seconds, due_at)
    values (${podcastId}, ${callbackHash}, ${callback}, ${host}, ${mode}, ${topic}, ${secret},
      ${leaseSeconds}, ${turnAt})
    on conflict (podcast_id, callback_hash) do update set mode = excluded.mode,
      topic = excluded.topic, secret = excluded.secret, lease_seconds = excluded.lease_seconds,
      claim = null, claimed_until = null,
      due_at = greatest(excluded.due_at, least(asked.asked_at, ${now}) + ${pause})`.execute(db);
}

/** By hub_requests_due. */
export async function hasDueRequests(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from hub_requests
      where due_at is not null and due_at <= ${now} and claim is null) as "isDue"`.execute(db);
  return rows[0]?.isDue === true;
}

/** The right to ask a callback. */
export interface HubClaim extends Omit<HubRequest, 'slug'>, Claim {
  readonly host: string;
  readonly site: string;
  readonly podcastId: string;
  readonly callbackHash: Buffer;
}

/** By hub_requests_due. */
export async function claimHubRequests(
  db: Db,
  { id, at, until, limit, first, busyHosts: busySites }: ClaimRequest,
): Promise<HubClaim[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const { rows } = await sql<Omit<HubClaim, 'id' | 'site'>>`
    with due as (
      select podcast_id, callback_hash from hub_requests
      where due_at is not null and due_at <= ${at} and claim is null
        and not ${isOfSites(busySites)}
      order by due_at ${direction} limit ${limit} for update skip locked
    )
    update hub_requests asked set due_at = null, claim = ${id}, claimed_until = ${until}
    from due where asked.podcast_id = due.podcast_id and asked.callback_hash = due.callback_hash
    returning asked.podcast_id as "podcastId", asked.callback_hash as "callbackHash",
      asked.callback, asked.host, asked.mode, asked.topic, asked.secret,
      asked.lease_seconds as "leaseSeconds"`.execute(db);
  return rows.map((row) => ({ ...row, id, site: siteOfHost(row.host) }));
}

const isClaimed = ({ id, podcastId, callbackHash }: HubClaim) =>
  sql`podcast_id = ${podcastId} and callback_hash = ${callbackHash} and claim = ${id}`;

/** Records that a callback is about to be asked. False if the claim has ended. */
export async function beginAsking(db: Db, claim: HubClaim, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update hub_requests set asked_at = ${now} where ${isClaimed(claim)}`.execute(db);
  return numAffectedRows === 1n;
}

/** The callback was asked. False if the claim has ended: a newer request counts. */
export async function endAsking(db: Db, claim: HubClaim): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update hub_requests set claim = null, claimed_until = null, secret = null
    where ${isClaimed(claim)}`.execute(db);
  return numAffectedRows === 1n;
}

/** The callback was not asked. It will be at `dueAt`. */
export async function releaseHubRequest(db: Db, claim: HubClaim, dueAt: Date): Promise<void> {
  await sql`
    update hub_requests set claim = null, claimed_until = null, due_at = ${dueAt}
    where ${isClaimed(claim)}`.execute(db);
}

export const releaseLostRequests = (db: Db, now: Date): Promise<void> =>
  releaseLostClaims(db, 'hub_requests', { now, longest: longestFeedWait });

/**
 * Makes due what a clock set back has delayed, by hub_requests_due. Also deletes what was asked a minute
 * ago, and the lines of hosts that nobody waits in, by hub_requests_asked and hub_hosts_passed.
 */
export async function tidyRequests(db: Db, now: Date): Promise<void> {
  await sql`
    update hub_requests set due_at = ${now}
    where due_at is not null and due_at > ${now}::timestamptz + 2 * ${longestLine}`.execute(db);
  await sql`
    delete from hub_requests where due_at is null and claim is null
      and asked_at not between ${now}::timestamptz - interval '1 minute' and ${now}`.execute(db);
  await sql`
    delete from hub_hosts
    where next_at < ${now}::timestamptz - interval '1 minute'`.execute(db);
}
