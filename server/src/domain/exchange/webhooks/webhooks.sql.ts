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

export async function switchOnWebhook(db: Db, webhookId: string): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ off_reason: null, off_at: null, failing_since: null })
    .where('id', '=', webhookId)
    .execute();
}

/**
 * Switches off those that are on: one, or those that a show had at a time. What they wait to send is
 * cancelled.
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
  const ids = rows.map(({ id }) => id);
  await sql`update webhook_deliveries set state = 'cancelled', due_at = null
    where webhook_id = any (${ids}::uuid[]) and state = 'waiting'`.execute(db);
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
 * The public can see the show again: what waits is due, and the time in between does not count as
 * failed.
 */
export async function wakeWebhooks(db: Db, podcastId: string, now: Date): Promise<void> {
  await sql`
    with woken as (
      update webhooks hook set due_at = least(due_at, ${now}), failing_since = null
      where podcast_id = ${podcastId} and exists (select from webhook_deliveries d
        where d.webhook_id = hook.id and d.state = 'waiting')
      returning id
    )
    update webhook_deliveries d set first_tried_at = null, due_at = least(d.due_at, ${now})
    from woken where d.webhook_id = woken.id and d.state = 'waiting'`.execute(db);
}
