import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Webhook, WebhookOffReason, WebhookType } from './webhook.ts';
import type { WebhookUrl } from './webhook-url.ts';

export interface WebhookRef {
  readonly podcastId: string;
  readonly webhookId: string;
}

const columns = (now: Date) => sql`hook.id, hook.url, hook.types, hook.created_at as "createdAt",
  hook.off_reason as "offReason", hook.off_at as "offAt", hook.failing_since as "failingSince",
  case when hook.previous_until > ${now} then hook.previous_until end as "graceEndsAt"`;

/** In the order in which they were created. By webhooks_podcast_id_place_key. */
export async function selectWebhooks(db: Db, podcastId: string, now: Date): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`select ${columns(now)} from webhooks hook
    where hook.podcast_id = ${podcastId} order by hook.created_at, hook.id`.execute(db);
  return rows;
}

/** By webhooks_pkey. */
export async function selectWebhook(
  db: Db,
  { podcastId, webhookId }: WebhookRef,
  now: Date,
): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`select ${columns(now)} from webhooks hook
    where hook.id = ${webhookId} and hook.podcast_id = ${podcastId}`.execute(db);
  return rows[0];
}

export interface NewWebhookRow extends WebhookUrl {
  readonly id: string;
  readonly podcastId: string;
  readonly types: readonly WebhookType[];
  readonly secret: string;
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

/**
 * Takes the lowest free place. False: all are taken. Call it with the show's row of webhook_shows locked.
 */
export async function insertWebhook(db: Db, row: NewWebhookRow, places: number): Promise<boolean> {
  const { rows } = await sql`
    insert into webhooks (id, podcast_id, place, url, host, types, secret, created_by, created_at)
    select ${row.id}, ${row.podcastId}, place, ${row.url}, ${row.host}, ${row.types}::text[],
      ${row.secret}, ${row.createdBy}, ${row.createdAt}
    from generate_series(1, ${places}::integer) free (place)
    where not exists (select from webhooks other
      where other.podcast_id = ${row.podcastId} and other.place = free.place)
    order by place limit 1
    returning id`.execute(db);
  return rows.length > 0;
}

/** The row as it is, locked until the transaction ends. */
export async function lockWebhook(
  db: Db,
  { podcastId, webhookId }: WebhookRef,
): Promise<Pick<Webhook, 'offReason' | 'url'> | undefined> {
  return (await db
    .selectFrom('webhooks')
    .select(['off_reason as offReason', 'url'])
    .where('id', '=', webhookId)
    .where('podcast_id', '=', podcastId)
    .forUpdate()
    .executeTakeFirst()) as Pick<Webhook, 'offReason' | 'url'> | undefined;
}

/** Of the show's webhooks beside this one. By webhooks_podcast_id_place_key. */
export async function selectOtherUrls(
  db: Db,
  { podcastId, webhookId }: WebhookRef,
): Promise<WebhookUrl[]> {
  return await db
    .selectFrom('webhooks')
    .select(['url', 'host'])
    .where('podcast_id', '=', podcastId)
    .where('id', '<>', webhookId)
    .execute();
}

/** What is undefined stays. Another URL has not failed yet. */
export async function updateWebhookRow(
  db: Db,
  webhookId: string,
  {
    address,
    types,
  }: { address?: WebhookUrl | undefined; types?: readonly WebhookType[] | undefined },
): Promise<void> {
  if (address === undefined && types === undefined) return;
  await db
    .updateTable('webhooks')
    .set({
      ...(address && { url: address.url, host: address.host, failing_since: null }),
      ...(types && { types: [...types] }),
    })
    .where('id', '=', webhookId)
    .execute();
}

/** By webhooks_podcast_id_place_key. */
export async function hasWebhooks(db: Db, podcastId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from webhooks where podcast_id = ${podcastId}) as has`.execute(db);
  return rows[0]?.has === true;
}

/** Call it with the webhook locked. */
export async function switchOnWebhook(db: Db, webhookId: string): Promise<void> {
  await cancelWaiting(db, webhookId);
  await db
    .updateTable('webhooks')
    .set({ off_reason: null, off_at: null, failing_since: null })
    .where('id', '=', webhookId)
    .execute();
}

/** The most deliveries that one statement changes. */
const changedAtOnce = 500;

/**
 * Switches off those that are on: one, or those that a show had at a time. Of what they wait to send, the
 * first part is cancelled. For the rest, and for tests, they are due: `sendDeliveries` cancels it.
 */
export async function switchOffWebhooks(
  db: Db,
  which: { readonly podcastId: string; readonly at: Date } | { readonly webhookId: string },
  reason: WebhookOffReason,
  now: Date,
): Promise<void> {
  const isIt =
    'at' in which
      ? sql`podcast_id = ${which.podcastId} and created_at <= ${which.at}`
      : sql`id = ${which.webhookId}`;
  // First the webhook: whoever adds deliveries, or stores their results, locks it before them.
  const { rows } = await sql<{ id: string }>`
    update webhooks set off_reason = ${reason}, off_at = ${now}, due_at = null
    where ${isIt} and off_reason is null returning id`.execute(db);
  for (const { id } of rows) {
    await cancelPart(db, id);
    await sql`update webhooks hook set due_at = ${now} where id = ${id} and exists (
      select from webhook_deliveries d where d.webhook_id = hook.id and d.state = 'waiting')`.execute(
      db,
    );
  }
}

/** Cancels what a webhook that is off still waits to send, except tests. */
export async function cancelWaiting(db: Db, webhookId: string): Promise<void> {
  while ((await cancelPart(db, webhookId)) === changedAtOnce);
}

/** Nothing if the webhook was switched on. By webhook_deliveries_waiting. */
async function cancelPart(db: Db, webhookId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries set state = 'cancelled', due_at = null
    where id = any (array(select d.id from webhooks hook
      join webhook_deliveries d on d.webhook_id = hook.id
      where hook.id = ${webhookId} and hook.off_reason is not null
        and d.state = 'waiting' and d.type <> 'ping'
      order by d.seq limit ${changedAtOnce})) and state = 'waiting'`.execute(db);
  return Number(numAffectedRows);
}

export async function deleteWebhookRow(db: Db, webhookId: string): Promise<void> {
  await db.deleteFrom('webhooks').where('id', '=', webhookId).execute();
}

/** The replaced secret signs until `graceUntil`. */
export async function replaceWebhookSecret(
  db: Db,
  webhookId: string,
  secret: string,
  graceUntil: Date,
): Promise<void> {
  await sql`update webhooks set previous_secret = secret, previous_until = ${graceUntil},
    secret = ${secret} where id = ${webhookId}`.execute(db);
}

/**
 * The public can see these shows again: what waits is due, and the time in between does not count as
 * failed. `sendDeliveries` changes the deliveries. By webhooks_podcast_id_place_key.
 */
export async function wakeWebhooks(
  db: Db,
  podcastIds: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update webhooks hook set due_at = least(due_at, ${now}), failing_since = null, is_woken = true
    where podcast_id = any (${podcastIds}::uuid[]) and off_reason is null
      and exists (select from webhook_deliveries d
        where d.webhook_id = hook.id and d.state = 'waiting')`.execute(db);
}

/** Call it with the webhook claimed, before anything is sent. By webhook_deliveries_waiting. */
export async function wakeDeliveries(db: Db, webhookId: string, now: Date): Promise<void> {
  let woken: bigint;
  do {
    const { numAffectedRows = 0n } = await sql`
      update webhook_deliveries set first_tried_at = null, due_at = least(due_at, ${now})
      where id = any (array(select id from webhook_deliveries
        where webhook_id = ${webhookId} and state = 'waiting' and first_tried_at is not null
        order by seq limit ${changedAtOnce})) and state = 'waiting'`.execute(db);
    woken = numAffectedRows;
  } while (woken === BigInt(changedAtOnce));
  await sql`update webhooks set is_woken = false where id = ${webhookId}`.execute(db);
}
