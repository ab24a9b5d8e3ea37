import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';

/** The tables that are queues. */
export type ClaimTable =
  | 'feed_states'
  | 'feed_notifications'
  | 'hub_subscriptions'
  | 'hub_requests'
  | 'webhooks'
  | 'site_pings';

/** Extends these claims; resolves to those that still exist. By the table's index …_claimed. */
export async function renewClaims(
  db: Db,
  table: ClaimTable,
  ids: readonly string[],
  until: Date,
): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    with held as (
      select ctid, claim from ${sql.table(table)}
      where claimed_until is not null and claim = any (${ids}::uuid[])
      for update skip locked
    ), renewed as (
      update ${sql.table(table)} queue set claimed_until = ${until}
      from held where queue.ctid = held.ctid
    )
    select distinct claim from ${sql.table(table)}
    where claimed_until is not null and claim = any (${ids}::uuid[])`.execute(db);
  return rows.map(({ claim }) => claim);
}

/**
 * Makes due what was claimed by a worker that is gone. `longest`: no claim ends later than this from
 * now, unless the clock was set back. By the table's index …_claimed.
 */
export async function releaseLostClaims(
  db: Db,
  table: ClaimTable,
  {
    now,
    longest,
    dueAt,
  }: {
    readonly now: Date;
    readonly longest: RawBuilder<unknown>;
    /** Of the row `queue`; default: now. */
    readonly dueAt?: RawBuilder<unknown>;
  },
): Promise<void> {
  await sql`
    update ${sql.table(table)} queue
    set claim = null, claimed_until = null, due_at = ${dueAt ?? now}
    where claimed_until is not null
      and (claimed_until <= ${now} or claimed_until > ${now}::timestamptz + ${longest})`.execute(
    db,
  );
}
