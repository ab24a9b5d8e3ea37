import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import {
  type Claim,
  type ClaimRequest,
  type FailureLane,
  releaseLostClaims,
} from '../../../foundation/sending/index.ts';
import type { Delivery, WebhookType } from '../webhook.ts';

export interface NewDelivery {
  readonly type: WebhookType;
  /** Deliveries of one subject arrive in order. */
  readonly subjectId: string;
  readonly episodeId: string | null;
}

/** No other one of its subject waits behind it. */
const isLast = sql`d.state = 'waiting' and not exists (select from webhook_deliveries later
  where later.webhook_id = d.webhook_id and later.subject_id = d.subject_id
    and later.state = 'waiting' and later.seq > d.seq)`;

/**
 * Adds these for each webhook of the show that is on and wants them, in one statement: pass it a
 * few hundred. What is sent is read when it is sent, so of what waits and was not tried yet, an episode
 * keeps one of each type, however often it changes: what an `episode.unpublished` ends is deleted, and
 * nothing is added that the last one says. By webhook_deliveries_waiting. What waits is read once, because
 * look-ups would be planned for the few rows that there were before.
 */
export async function insertDeliveries(
  db: Db,
  podcastId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  const types = deliveries.map(({ type }) => type);
  const subjects = deliveries.map(({ subjectId }) => subjectId);
  const episodes = deliveries.map(({ episodeId }) => episodeId);
  await sql`
    with woken as (
      update webhooks set due_at = least(due_at, ${now})
      where podcast_id = ${podcastId} and off_reason is null and types && ${types}::text[]
      returning id, types
    ), told as (
      select * from unnest(${types}::text[], ${subjects}::uuid[], ${episodes}::uuid[])
        with ordinality told (type, subject, episode, place)
    ), waiting as materialized (
      select d.id, d.webhook_id, d.subject_id, d.type, d.attempts, d.seq from webhook_deliveries d
      where d.webhook_id = any (array(select id from woken)) and d.state = 'waiting'
        and d.subject_id = any (${subjects}::uuid[])
    ), ended as (
      delete from webhook_deliveries where id = any (array(select id from waiting
        where attempts = 0 and type in ('episode.published', 'episode.updated')
          and subject_id in (select subject from told where type = 'episode.unpublished')
          and webhook_id in (select id from woken where 'episode.unpublished' = any (types))))
      returning id
    ), last as materialized (
      select distinct on (webhook_id, subject_id) webhook_id, subject_id, type, attempts
      from waiting where id not in (select id from ended)
      order by webhook_id, subject_id, seq desc
    )
    insert into webhook_deliveries
      (id, webhook_id, type, subject_id, episode_id, created_at, due_at)
    select gen_random_uuid(), woken.id, told.type, told.subject, told.episode, ${now}, ${now}
    from woken join told on told.type = any (woken.types)
    where told.episode is null or (woken.id, told.subject,
      case told.type when 'episode.updated' then 'episode.published' else told.type end)
      not in (select webhook_id, subject_id, type from last where attempts = 0)
    order by told.place
    on conflict (webhook_id, subject_id, type) where state = 'waiting' and attempts = 0
      and type in ('episode.updated', 'show.updated') do nothing`.execute(db);
}

/** A webhook that has much to send. */
export interface FullWebhook {
  readonly webhookId: string;
  readonly host: string;
  readonly failingSince: Date | null;
}

/** The show's webhooks for which so many deliveries wait. By webhook_deliveries_waiting. */
export async function selectFullWebhooks(
  db: Db,
  podcastId: string,
  waiting: number,
): Promise<FullWebhook[]> {
  const { rows } = await sql<FullWebhook>`
    select hook.id as "webhookId", hook.host, hook.failing_since as "failingSince"
    from webhooks hook where hook.podcast_id = ${podcastId} and hook.off_reason is null
      and exists (select from webhook_deliveries d
        where d.webhook_id = hook.id and d.state = 'waiting'
        order by d.seq offset ${waiting - 1} limit 1)`.execute(db);
  return rows;
}

/** A test: it is its own subject. */
export async function insertTest(db: Db, webhookId: string, id: string, now: Date): Promise<void> {
  await sql`
    with woken as (update webhooks set due_at = least(due_at, ${now})
      where id = ${webhookId} returning id)
    insert into webhook_deliveries (id, webhook_id, type, subject_id, created_at, due_at)
    select ${id}::uuid, id, 'ping', ${id}::uuid, ${now}, ${now} from woken`.execute(db);
}

/** Makes a delivery due as if it were new. Call it with the webhook locked. */
export async function requeueDelivery(
  db: Db,
  webhookId: string,
  id: string,
  now: Date,
): Promise<void> {
  // If an update of the same subject waits untried, it says the same.
  await sql`update webhook_deliveries set state = 'waiting', due_at = ${now}, first_tried_at = null,
    attempts = greatest(attempts, 1) where id = ${id} and webhook_id = ${webhookId}`.execute(db);
  await sql`update webhooks set due_at = least(due_at, ${now}) where id = ${webhookId}`.execute(db);
}

/** Longer than any retry waits: nothing can be due after this, unless the clock was set back. */
const longestWait = sql`interval '13 hours'`;

/** The lanes: webhooks whose last delivery arrived, and those that fail. */
const isIn: Readonly<Record<FailureLane, RawBuilder<unknown>>> = {
  regular: sql`due_at is not null and failing_since is null`,
  retry: sql`due_at is not null and failing_since is not null`,
};

/** By webhooks_due and webhooks_to_retry, with one index look-up each. */
export async function selectWebhookWork(db: Db, now: Date): Promise<FailureLane[]> {
  const isDue = sql`due_at <= ${now} and claim is null`;
  const { rows } = await sql<Record<FailureLane, boolean>>`
    select exists (select from webhooks where ${isIn.regular} and ${isDue}) as regular,
      exists (select from webhooks where ${isIn.retry} and ${isDue}) as retry`.execute(db);
  const [due] = rows;
  return (['regular', 'retry'] as const).filter((lane) => due?.[lane]);
}

export interface WebhookClaim extends Claim {
  readonly webhookId: string;
  readonly podcastId: string;
  readonly accountId: string;
  readonly host: string;
  /** It is switched off: it sends only tests. */
  readonly isOff: boolean;
  /** The public can see its show again. */
  readonly isWoken: boolean;
}

/** Claims webhooks that have something to send. By webhooks_due or webhooks_to_retry. */
export async function claimWebhooks(
  db: Db,
  lane: FailureLane,
  { id, at, until, limit, first, busyHosts, busyAccounts }: ClaimRequest,
): Promise<WebhookClaim[]> {
  const direction = first === 'oldest' ? sql`asc` : sql`desc`;
  const { rows } = await sql<WebhookClaim>`
    with due as (
      select id from webhooks where ${isIn[lane]} and due_at <= ${at} and claim is null
        and host <> all (${busyHosts}::text[]) and not exists (select from podcasts p
          where p.id = webhooks.podcast_id and p.account_id = any (${busyAccounts}::uuid[]))
      order by due_at ${direction} limit ${limit} for update skip locked
    )
    update webhooks hook set due_at = null, claim = ${id}::uuid, claimed_until = ${until}
    from due, podcasts p where hook.id = due.id and p.id = hook.podcast_id
    returning hook.claim as id, hook.id as "webhookId", hook.podcast_id as "podcastId",
      p.account_id as "accountId", hook.host, hook.off_reason is not null as "isOff",
      hook.is_woken as "isWoken"`.execute(db);
  return rows;
}

/** The first one of its subject that waits: later ones wait for it. */
const isNext = sql`d.state = 'waiting' and not exists (select from webhook_deliveries earlier
  where earlier.webhook_id = d.webhook_id and earlier.subject_id = d.subject_id
    and earlier.state = 'waiting' and earlier.seq < d.seq)`;

/** `onlyTests`: the public cannot see the show, or the webhook is off. */
const isSendable = (onlyTests: boolean) => (onlyTests ? sql`d.type = 'ping'` : sql`true`);

/**
 * The next ones to send, in order: first tests, because someone waits for their result, and much may
 * wait for the host's next minutes. Those of the far future are due too: the clock was set back. By
 * webhook_deliveries_waiting and webhook_deliveries_of_subject.
 */
export async function selectNextDeliveries(
  db: Db,
  webhookId: string,
  now: Date,
  { limit, onlyTests }: { readonly limit: number; readonly onlyTests: boolean },
): Promise<string[]> {
  const next = (which: RawBuilder<unknown>) => sql`
    select d.id, d.type <> 'ping' as place, d.seq from webhook_deliveries d
    where d.webhook_id = ${webhookId} and ${isNext} and ${which}
      and (d.due_at <= ${now} or d.due_at > ${now}::timestamptz + ${longestWait})
    order by d.seq limit ${limit}`;
  const others = onlyTests ? sql`false` : sql`d.type <> 'ping'`;
  const { rows } = await sql<{ id: string }>`
    select id from ((${next(isSendable(true))}) union all (${next(others)})) due
    order by place, seq limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A delivery that is about to be sent. */
export interface DeliveryToSend {
  readonly id: string;
  readonly type: Delivery['type'];
  readonly episodeId: string | null;
  readonly createdAt: Date;
  readonly attempts: number;
  readonly firstTriedAt: Date;
  readonly triedAt: Date;
  /** When it was tried before, if it was: also before somebody had it sent again. */
  readonly previousAt: Date | null;
  readonly url: string;
  /** The secrets that sign: the current one first. */
  readonly secrets: readonly string[];
  /** Whether another one of its subject waits behind it. */
  readonly hasLater: boolean;
}

/**
 * Counts an attempt. Afterwards, a new change makes a delivery of its own. Undefined if the claim has
 * ended, if the delivery does not wait any more, or if the webhook was switched off. By webhook_deliveries_pkey and
 * webhook_deliveries_of_subject.
 */
export async function beginAttempt(
  db: Db,
  { id: claim, webhookId }: WebhookClaim,
  id: string,
  now: Date,
): Promise<DeliveryToSend | undefined> {
  const { rows } = await sql<DeliveryToSend>`
    update webhook_deliveries d set attempts = d.attempts + 1, tried_at = ${now},
      first_tried_at = least(d.first_tried_at, ${now})
    from webhooks hook, webhook_deliveries before
    where d.id = ${id} and before.id = d.id and d.state = 'waiting' and hook.id = d.webhook_id
      and hook.id = ${webhookId} and hook.claim = ${claim}
      and (hook.off_reason is null or d.type = 'ping')
    returning d.id, d.type, d.episode_id as "episodeId", d.created_at as "createdAt", d.attempts,
      d.first_tried_at as "firstTriedAt", d.tried_at as "triedAt",
      before.tried_at as "previousAt", hook.url,
      case when hook.previous_until > ${now} then array[hook.secret, hook.previous_secret]
        else array[hook.secret] end as secrets,
      not (${isLast}) as "hasLater"`.execute(db);
  return rows[0];
}

/** What an attempt gave. */
export interface Attempted {
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  readonly durationMs: number;
}

const resultOf = ({ status, error, response, durationMs }: Attempted) =>
  sql`status = ${status}, error = ${error}, response = ${response}, duration_ms = ${durationMs}`;

/** It has arrived: the webhook does not fail any more. */
export async function endDeliveredAttempt(
  db: Db,
  { id: claim, webhookId }: WebhookClaim,
  delivery: Pick<DeliveryToSend, 'id' | 'type'>,
  attempted: Attempted,
): Promise<void> {
  const isTest = delivery.type === 'ping';
  await sql`
    with hook as (
      update webhooks set failing_since = case when ${isTest}::boolean then failing_since end
      where id = ${webhookId} and claim = ${claim} returning id
    )
    update webhook_deliveries d set state = 'delivered', due_at = null, ${resultOf(attempted)}
    from hook where d.webhook_id = hook.id and d.id = ${delivery.id} and d.state = 'waiting'`.execute(
    db,
  );
}

/** The public cannot see any more what it was about. */
export async function endDropped(
  db: Db,
  { webhookId }: WebhookClaim,
  deliveryId: string,
): Promise<void> {
  await sql`update webhook_deliveries set state = 'dropped', due_at = null
    where id = ${deliveryId} and webhook_id = ${webhookId} and state = 'waiting'`.execute(db);
}

/** `retryAt` null: given up. */
export async function endFailedAttempt(
  db: Db,
  deliveryId: string,
  attempted: Attempted,
  retryAt: Date | null,
): Promise<void> {
  const state = retryAt === null ? 'failed' : 'waiting';
  await sql`update webhook_deliveries set state = ${state}, due_at = ${retryAt},
    ${resultOf(attempted)} where id = ${deliveryId} and state = 'waiting'`.execute(db);
}

/**
 * Ends the claim. The webhook is due when the next of its deliveries is, or earlier if something was
 * added in the meantime; at once if there was no time for all. By webhook_deliveries_waiting: reads what
 * waits once, the first of each subject.
 */
export async function releaseWebhook(
  db: Db,
  { id: claim, webhookId }: WebhookClaim,
  now: Date,
  { onlyTests, notBefore }: { readonly onlyTests: boolean; readonly notBefore?: Date | undefined },
): Promise<void> {
  const at = sql`case when d.due_at > ${now}::timestamptz + ${longestWait} then ${now}
    else d.due_at end`;
  await sql`
    update webhooks hook set claim = null, claimed_until = null, due_at = least(hook.due_at,
      (select greatest(min(${at}), ${notBefore ?? null}::timestamptz)
        from (select distinct on (subject_id) type, due_at from webhook_deliveries
          where webhook_id = ${webhookId} and state = 'waiting' order by subject_id, seq) d
        where ${isSendable(onlyTests)}))
    where id = ${webhookId} and claim = ${claim}`.execute(db);
}

export const releaseLostWebhooks = (db: Db, now: Date): Promise<void> =>
  releaseLostClaims(db, 'webhooks', { now, longest: longestWait });

/**
 * Makes webhooks due whose time is too far in the future because the clock was set back. By
 * webhooks_due and webhooks_to_retry.
 */
export async function hastenWebhooks(db: Db, now: Date): Promise<void> {
  for (const isInLane of Object.values(isIn)) {
    await sql`update webhooks set due_at = ${now}
      where ${isInLane} and due_at > ${now}::timestamptz + ${longestWait}`.execute(db);
  }
}

/** Webhooks by what they wait for, in the whole installation. */
export interface WebhookBacklog {
  /** Due now, and not being sent to. */
  readonly due: number;
  readonly failing: number;
  /** Switched off because they have failed for days. */
  readonly off: number;
}

export async function countWebhooks(db: Db, now: Date): Promise<WebhookBacklog> {
  const { rows } = await sql<WebhookBacklog>`
    select count(*) filter (where due_at <= ${now} and claim is null) as due,
      count(*) filter (where failing_since is not null and off_reason is null) as failing,
      count(*) filter (where off_reason = 'failing') as off
    from webhooks`.execute(db);
  return rows[0] ?? { due: 0, failing: 0, off: 0 };
}
