import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { Delivery, DeliveryState } from './webhook.ts';

export interface DeliveryPosition {
  /** Ascending in the order of creation. */
  readonly seq: number;
}

const columns = sql`d.id, d.type, d.episode_id as "episodeId", e.title as "episodeTitle",
  d.created_at as "createdAt", d.state, d.attempts, d.tried_at as "triedAt", d.due_at as "dueAt",
  d.status, d.error, d.response, d.duration_ms as "durationMs", d.seq`;

/** Newest first. By webhook_deliveries_in_order. */
export async function selectDeliveries(
  db: Db,
  webhookId: string,
  { limit, after }: { readonly limit: number; readonly after?: DeliveryPosition | undefined },
): Promise<(Delivery & DeliveryPosition)[]> {
  const isLater = after === undefined ? sql`` : sql`and d.seq < ${after.seq}`;
  const { rows } = await sql<Delivery & DeliveryPosition>`
    select ${columns} from webhook_deliveries d left join episodes e on e.id = d.episode_id
    where d.webhook_id = ${webhookId} ${isLater} order by d.seq desc limit ${limit}`.execute(db);
  return rows;
}

/** By webhook_deliveries_pkey. */
export async function selectDelivery(
  db: Db,
  webhookId: string,
  id: string,
): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${columns} from webhook_deliveries d left join episodes e on e.id = d.episode_id
    where d.id = ${id} and d.webhook_id = ${webhookId}`.execute(db);
  return rows[0];
}

/** Locks it until the transaction ends. */
export async function lockDelivery(
  db: Db,
  webhookId: string,
  id: string,
): Promise<{ readonly state: DeliveryState; readonly type: Delivery['type'] } | undefined> {
  return (await db
    .selectFrom('webhook_deliveries')
    .select(['state', 'type'])
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst()) as { state: DeliveryState; type: Delivery['type'] } | undefined;
}

/** Deletes ended ones, at most `limit`; returns their number. By webhook_deliveries_ended. */
export async function deleteEndedDeliveries(
  db: Db,
  createdBefore: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries where id in (select id from webhook_deliveries
      where state <> 'waiting' and created_at < ${createdBefore}
      order by created_at limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

/** The most rows of one statement. A turn of a webhook ends fewer. */
const trimmedAtOnce = 1_000;

/**
 * Keeps what a webhook's deliveries take on disk within limits: the texts of all but its newest
 * responses, and the ended ones of those that are not its newest, are deleted, a part at a time. By
 * webhook_deliveries_with_response and webhook_deliveries_in_order.
 */
export async function trimDeliveries(
  db: Db,
  webhookId: string,
  kept: { readonly responses: number; readonly deliveries: number },
): Promise<void> {
  await sql`
    update webhook_deliveries set response = null where id = any (array(
      select id from webhook_deliveries where webhook_id = ${webhookId} and response is not null
      order by tried_at desc offset ${kept.responses} limit ${trimmedAtOnce}))`.execute(db);
  await sql`
    delete from webhook_deliveries where id = any (array(
      select id from webhook_deliveries where webhook_id = ${webhookId} and state <> 'waiting'
        and seq < (select seq from webhook_deliveries where webhook_id = ${webhookId}
          order by seq desc offset ${kept.deliveries - 1} limit 1)
      order by seq limit ${trimmedAtOnce})) and state <> 'waiting'`.execute(db);
}
