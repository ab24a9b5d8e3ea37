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
