import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import type { DeliveryToSend, WebhookClaim } from './queue.sql.ts';

/** Since when the claimed webhook fails, with its row locked; undefined if the claim has ended. */
export async function lockFailing(
  db: Db,
  { id: claim, webhookId }: WebhookClaim,
): Promise<{ readonly failingSince: Date | null; readonly offReason: string | null } | undefined> {
  return await db
    .selectFrom('webhooks')
    .select(['failing_since as failingSince', 'off_reason as offReason'])
    .where('id', '=', webhookId)
    .where('claim', '=', claim)
    .forUpdate()
    .executeTakeFirst();
}

/** An attempt that has failed. */
export type FailedAttempt = Pick<DeliveryToSend, 'id' | 'triedAt' | 'previousAt'>;

const failedSince = (db: Db, webhookId: string, since: Date) =>
  db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('type', '<>', 'ping')
    .where('state', '<>', 'delivered')
    .where('tried_at', '>=', since);

/** The last attempt of a webhook that has failed since then. By webhook_deliveries_in_order. */
export async function selectLastFailure(
  db: Db,
  webhookId: string,
  since: Date,
): Promise<FailedAttempt | undefined> {
  return await failedSince(db, webhookId, since)
    .select(['id', sql<Date>`tried_at`.as('triedAt')])
    .select(sql<Date | null>`nullif(first_tried_at, tried_at)`.as('previousAt'))
    .where(sql<boolean>`(status is not null or error is not null)`)
    .orderBy('tried_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Longer than a webhook that fails is left in peace while a delivery waits. */
const longestPauseMs = 13 * 3_600_000;
/** What a webhook sends within this time fails for one reason. */
const atOnceMs = 60_000;

/**
 * Whether a webhook that has failed since then was tried not long before its last failure, too. If what
 * failed was dropped, or waited for its turn, and nothing was sent until now, that is one failure, not
 * days of them (HOOK-10). By webhook_deliveries_in_order.
 */
export async function hasFailedLately(
  db: Db,
  webhookId: string,
  since: Date,
  { id, triedAt, previousAt }: FailedAttempt,
): Promise<boolean> {
  const lately = new Date(Math.max(since.getTime(), triedAt.getTime() - longestPauseMs));
  if (previousAt !== null && previousAt >= lately) return true;
  const others = failedSince(db, webhookId, lately)
    .where('id', '<>', id)
    .where(sql<boolean>`(status is not null or error is not null)`)
    .where('tried_at', '<', new Date(triedAt.getTime() - atOnceMs))
    .select('id');
  return (await others.limit(1).executeTakeFirst()) !== undefined;
}

export async function setFailingSince(db: Db, webhookId: string, since: Date): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: since })
    .where('id', '=', webhookId)
    .execute();
}
