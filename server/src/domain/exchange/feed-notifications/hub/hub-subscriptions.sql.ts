import { sql } from 'kysely';
import { siteOfHost } from '../../../../lib/host-site.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Claim, ClaimRequest, FailureLane } from '../../../foundation/sending/index.ts';
import {
  type ComparedFeed,
  claimToldRows,
  dueAfterPause,
  makeToldDue,
  type ToldTable,
} from '../told-rows.sql.ts';
import { isOfSites } from './hosts-of-sites.sql.ts';
import type { HubClaim } from './hub-requests.sql.ts';

export const subscriptionTable: ToldTable = { name: 'hub_subscriptions', who: 'callback_hash' };

/**
 * The most subscriptions of a show, and those of one host and of one registered domain among them
 * (NOTIFY-6): the owner of a domain has any number of hosts.
 */
const mostSubscriptions = { ofShow: 1_000, ofHost: 10, ofSite: 20 };

/** Puts changes of a show's subscriptions in order. */
export async function lockSubscriptions(db: Db, podcastId: string): Promise<void> {
  await sql`insert into feed_states (podcast_id) values (${podcastId})
    on conflict do nothing`.execute(db);
  await db
    .selectFrom('feed_states')
    .select('podcast_id')
    .where('podcast_id', '=', podcastId)
    .forUpdate()
    .execute();
}

/** Whether a show has as many other subscriptions as it can. By hub_subscriptions_pkey. */
export async function isFull(
  db: Db,
  { podcastId, callbackHash, host }: HubClaim,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ host: string; count: number }>`
    select host, count(*) as count
    from hub_subscriptions where podcast_id = ${podcastId}
      and callback_hash <> ${callbackHash} and expires_at > ${now}
    group by host`.execute(db);
  const site = siteOfHost(host);
  const countOf = (isCounted: (other: string) => boolean) =>
    rows.reduce((sum, row) => (isCounted(row.host) ? sum + row.count : sum), 0);
  return (
    countOf(() => true) >= mostSubscriptions.ofShow ||
    countOf((other) => other === host) >= mostSubscriptions.ofHost ||
    countOf((other) => siteOfHost(other) === site) >= mostSubscriptions.ofSite
  );
}

/**
 * Begins or renews a subscription. A new one gets the next change: its subscriber has just read the
 * feed. A renewed one that was given up gets what it has missed.
 */
export async function putSubscription(
  db: Db,
  { podcastId, callbackHash, callback, host, secret }: HubClaim,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into hub_subscriptions as told (podcast_id, callback_hash, callback, host, secret,
      created_at, expires_at, digest)
    values (${podcastId}, ${callbackHash}, ${callback}, ${host}, ${secret}, ${now}, ${expiresAt},
      (select digest from feed_states where podcast_id = ${podcastId}))
    on conflict (podcast_id, callback_hash) do update set secret = excluded.secret,
      expires_at = excluded.expires_at, failures = 0, first_failed_at = null,
      due_at = case when told.claim is null and told.digest is distinct from excluded.digest
        then least(told.due_at, ${dueAfterPause(now)}) else told.due_at end`.execute(db);
}

export async function deleteSubscription(
  db: Db,
  { podcastId, callbackHash }: Pick<HubClaim, 'podcastId' | 'callbackHash'>,
): Promise<void> {
  await db
    .deleteFrom('hub_subscriptions')
    .where('podcast_id', '=', podcastId)
    .where('callback_hash', '=', callbackHash)
    .execute();
}

/** By hub_subscriptions_expired. */
export async function deleteExpiredSubscriptions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('hub_subscriptions').where('expires_at', '<=', now).execute();
}

/** Makes deliveries due to those who don't have these feeds. */
export const makeDeliveriesDue = (
  db: Db,
  feeds: readonly ComparedFeed[],
  now: Date,
): Promise<void> => makeToldDue(db, subscriptionTable, feeds, isAlive(now), now);

export const isAlive = (now: Date) => sql`expires_at > ${now}`;

/** The right to deliver a feed. */
export interface DeliveryClaim extends Claim {
  readonly podcastId: string;
  readonly callbackHash: Buffer;
  readonly site: string;
  readonly accountId: string;
  /** Of the feed; null: it isn't public. */
  readonly digest: Buffer | null;
}

/** What goes to slow sites has the lane of what failed. */
export async function claimDeliveries(
  db: Db,
  lane: FailureLane,
  request: ClaimRequest,
  slowSites: readonly string[] = [],
): Promise<DeliveryClaim[]> {
  const isWanted = sql`expires_at > ${request.at} and not ${isOfSites(request.busyHosts)}
    and not exists (select from podcasts p where p.id = hub_subscriptions.podcast_id
      and p.account_id = any (${request.busyAccounts}::uuid[]))`;
  const returning = sql`told.callback_hash as "callbackHash", told.host,
    (select account_id from podcasts p where p.id = told.podcast_id) as "accountId",
    (select digest from feed_states feed where feed.podcast_id = told.podcast_id) as digest`;
  const isSlow = slowSites.length === 0 ? undefined : isOfSites(slowSites);
  type Row = Omit<DeliveryClaim, 'site'> & { readonly host: string };
  const rules = { isWanted, isSlow, returning };
  const rows = await claimToldRows<Row>(db, subscriptionTable, lane, request, rules);
  return rows.map(({ host, ...row }) => ({ ...row, site: siteOfHost(host) }));
}

/** Where a delivery goes, and what signs it. */
export interface Subscriber {
  readonly callback: string;
  readonly secret: string | null;
}

export const subscriberColumns = sql`told.callback, told.secret`;

/** A show's subscriptions, and those among them that did not get the last change. By hub_subscriptions_pkey. */
export async function countSubscriptions(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<{ readonly count: number; readonly failing: number }> {
  const { rows } = await sql<{ count: number; failing: number }>`
    select count(*) as count, count(*) filter (where failures > 0) as failing
    from hub_subscriptions where podcast_id = ${podcastId} and expires_at > ${now}`.execute(db);
  return rows[0] ?? { count: 0, failing: 0 };
}
