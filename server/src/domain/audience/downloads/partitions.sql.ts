import { sql } from 'kysely';
import { addDays, type UtcDay } from '../../../lib/utc-day.ts';
import type { Db } from '../../foundation/database.ts';

/** Tables with a partition for each open day. */
const byDay = ['download_requests', 'download_listeners'] as const;
/** Listeners of older days: a partition for the logs that were begun on a day, and one for others. */
const oldListeners = 'download_listeners_old';
const otherOldListeners = `${oldListeners}_other`;

/** Names of partitions end in a day or a name of ours: `2026-11-22` → `2026_11_22`. */
function suffixOf(name: string): string {
  if (!/^[a-z0-9:-]{1,40}$/.test(name)) throw new Error(`no partition can be named ${name}`);
  return name.replaceAll(/[:-]/g, '_');
}

/**
 * Gives these days partitions, which can be dropped whole. Requires the lock of the sums. Listeners
 * that are among the old ones stay there: only a clock that was set back makes such a day open.
 */
export async function ensureDayPartitions(db: Db, days: readonly string[]): Promise<void> {
  const { rows } = await sql<{ readonly parent: string; readonly day: string }>`
    select parent, wanted.day::text as day from unnest(${[...byDay]}::text[]) as parent,
      unnest(${days}::date[]) as wanted (day)
    where to_regclass(parent || to_char(wanted.day, '_YYYY_MM_DD')) is null
      and (parent <> 'download_listeners' or not exists (
        select from download_listeners_old old where old.day = wanted.day))`.execute(db);
  for (const { parent, day } of rows)
    await sql`create table ${sql.table(`${parent}_${suffixOf(day)}`)}
      partition of ${sql.table(parent)}
      for values from (${sql.lit(day)}) to (${sql.lit(addDays(day, 1))})`.execute(db);
}

/**
 * Gives the listeners that old logs bring partitions by the day on which the log was begun. Requires
 * the lock of the sums.
 */
export async function ensureLogPartitions(db: Db, begunOn: Iterable<UtcDay>): Promise<void> {
  for (const day of begunOn)
    await sql`create table if not exists ${sql.table(`${oldListeners}_${suffixOf(day)}`)}
      partition of ${sql.table(oldListeners)}
      for values in (${sql.lit(day)})`.execute(db);
}

/**
 * Drops the partitions of all days before this one, and of the logs that were begun before it, and
 * the secrets of both with theirs.
 */
export async function dropDaysBefore(db: Db, day: string): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select child.relname as name
    from pg_inherits i
    join pg_class child on child.oid = i.inhrelid
    join pg_class parent on parent.oid = i.inhparent
    where parent.relname in ('download_secrets', ${oldListeners}, ${sql.join(byDay)})
      and child.relname ~ '_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
      and right(child.relname, 10) < ${suffixOf(day)}
      and pg_table_is_visible(parent.oid)`.execute(db);
  for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(db);
}

/**
 * Empties the table of old listeners whose secret is gone already: of requests that came very late, and
 * of seeds. This leaves no bytes on the disk.
 */
export async function truncateOldListeners(db: Db): Promise<void> {
  const old = sql.table(otherOldListeners);
  const { rows } = await sql`select where exists (select from ${old})`.execute(db);
  if (rows.length > 0) await sql`truncate ${old}`.execute(db);
}

/** From here to its end, the transaction fails instead of waiting longer than this for a lock. */
export async function limitLockWaits(db: Db, ms: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(ms)}`.execute(db);
}

export async function createSecretPartition(db: Db, name: string): Promise<void> {
  await sql`create table if not exists ${sql.table(`download_secrets_${suffixOf(name)}`)}
    partition of download_secrets for values in (${sql.lit(name)})`.execute(db);
}
