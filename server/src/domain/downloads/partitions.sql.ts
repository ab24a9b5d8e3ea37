import { sql } from 'kysely';
import { addDays } from '../../lib/utc-day.ts';
import type { Db } from '../database.ts';

/** Tables with a partition for each open day, and one for the rows of all older days. */
const byDay = ['download_requests', 'download_listeners'] as const;

/** Names of partitions end in a day or a name of ours: `2026-11-22` → `2026_11_22`. */
function suffixOf(name: string): string {
  if (!/^[a-z0-9:-]{1,40}$/.test(name)) throw new Error(`no partition can be named ${name}`);
  return name.replaceAll(/[:-]/g, '_');
}

/**
 * Gives these days partitions, which can be dropped whole. Requires the lock of the sums. A day that
 * has rows among the old ones stays there: only a clock that was set back makes one.
 */
export async function ensureDayPartitions(db: Db, days: readonly string[]): Promise<void> {
  const { rows } = await sql<{ readonly parent: string; readonly day: string }>`
    select parent, wanted.day::text as day from unnest(${[...byDay]}::text[]) as parent,
      unnest(${days}::date[]) as wanted (day)
    where to_regclass(parent || to_char(wanted.day, '_YYYY_MM_DD')) is null
      and not exists (select from download_requests_old old where old.day = wanted.day)
      and not exists (select from download_listeners_old old where old.day = wanted.day)`.execute(
    db,
  );
  for (const { parent, day } of rows)
    await sql`create table ${sql.table(`${parent}_${suffixOf(day)}`)}
      partition of ${sql.table(parent)}
      for values from (${sql.lit(day)}) to (${sql.lit(addDays(day, 1))})`.execute(db);
}

/** Drops the partitions of all days before this one, and the secrets of these days with theirs. */
export async function dropDaysBefore(db: Db, day: string): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select child.relname as name
    from pg_inherits i
    join pg_class child on child.oid = i.inhrelid
    join pg_class parent on parent.oid = i.inhparent
    where parent.relname in ('download_secrets', ${sql.join(byDay)})
      and child.relname ~ '_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
      and right(child.relname, 10) < ${suffixOf(day)}
      and pg_table_is_visible(parent.oid)`.execute(db);
  for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(db);
}

/** Old rows serve one log as long as it is read; each such log has a secret. */
export async function deleteOldRows(db: Db): Promise<void> {
  for (const table of byDay)
    await sql`delete from ${sql.table(`${table}_old`)}
      where not exists (select from download_secrets where name like 'log:%')`.execute(db);
}

export async function createSecretPartition(db: Db, name: string): Promise<void> {
  await sql`create table if not exists ${sql.table(`download_secrets_${suffixOf(name)}`)}
    partition of download_secrets for values in (${sql.lit(name)})`.execute(db);
}

/** The bytes go with the table; a deleted row would stay on the disk for a while. */
export async function dropSecretPartition(db: Db, name: string): Promise<void> {
  await sql`drop table if exists ${sql.table(`download_secrets_${suffixOf(name)}`)}`.execute(db);
}
