import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { type RowLine, readTableRows } from '../../../platform/database/table-rows.ts';
import type { Db } from '../../foundation/database.ts';
import type { TableRule } from './tables.ts';

/** All tables of ours, without partitions. */
export async function selectTableNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/** In the order in which they were applied. */
export async function selectMigrations(db: Db): Promise<{ name: string; sha256: string }[]> {
  const rows = sql<{ name: string; sha256: string }>`
    select name, sha256 from schema_migrations order by name`;
  return (await rows.execute(db)).rows;
}

/** When this database was set up. */
export async function selectFirstMigration(db: Db): Promise<Date> {
  const rows = sql<{ at: Date }>`select min(applied_at) as at from schema_migrations`;
  return (await rows.execute(db)).rows[0]?.at ?? new Date();
}

/**
 * `since`: when this database was set up, in microseconds, which tells it from others. A restore is always
 * into another one. `restoredFrom`: the backup that was restored into it.
 */
export async function selectOrigin(
  db: Db,
): Promise<{ since: string; restoredFrom: string | null }> {
  const { rows } = await sql<{ since: string; restoredFrom: string | null }>`
    select to_char(min(applied_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as since,
      (select snapshot from restores) as "restoredFrom"
    from schema_migrations`.execute(db);
  const [origin] = rows;
  if (origin === undefined) throw new Error('the database has no migrations');
  return origin;
}

const usualRowsAtOnce = 2_000;

/** What a backup has of a table, with the names of its columns. */
function sourceOf(table: string, { where, instead = {}, from }: TableRule): RawBuilder<unknown> {
  const replaced = Object.entries(instead).map(
    ([column, value]) => sql`, ${sql.raw(value)} as ${sql.ref(`new_${column}`)}`,
  );
  const source = from === undefined ? sql`${sql.table(table)}` : sql`(${sql.raw(from)})`;
  return sql`(select source.* ${sql.join(replaced, sql``)} from ${source} source ${
    where === undefined ? sql`` : sql`where ${sql.raw(where)}`
  })`;
}

/**
 * What a backup has of a table, as `readTableRows` returns it. The transaction must be open.
 */
export function readRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rule: TableRule,
): AsyncGenerator<readonly RowLine[]> {
  const { instead = {}, rowsAtOnce = usualRowsAtOnce } = rule;
  const values = columns.map((column) => (column in instead ? `new_${column}` : column));
  return readTableRows(db, sourceOf(table, rule), values, rowsAtOnce);
}

/** The keys of files that rows name, in batches. The transaction must be open. */
export async function* readNamedKeys(db: Db): AsyncGenerator<readonly string[]> {
  await sql`declare named_keys no scroll cursor for
    select blob_key as key from audio_files where blob_key is not null
    union all select blob_key from audio_replacements
    union all select 'images/' || id || case content_type when 'image/png' then '/original.png'
      else '/original.jpg' end from images`.execute(db);
  for (;;) {
    const { rows } = await sql<{ key: string }>`
      fetch forward ${sql.lit(usualRowsAtOnce)} from named_keys`.execute(db);
    if (rows.length === 0) break;
    yield rows.map(({ key }) => key);
  }
  await sql`close named_keys`.execute(db);
}

/** Whether a table has any row. */
export async function hasRows(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}

export async function deleteRows(db: Db, table: string): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db);
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Runs `load` without triggers and foreign keys, in whatever order it writes. Afterwards each foreign key
 * is checked for all rows. The whole work is one transaction.
 */
export async function withoutConstraints(
  db: Db,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await sql<ForeignKey>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and conrelid = any (${tables}::regclass[])
    order by conrelid::regclass::text, conname`.execute(db);
  for (const { table, name } of keys)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(db);
  for (const table of tables)
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await load();
  for (const table of tables)
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
  for (const { table, name, definition } of keys)
    await sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      db,
    );
}

/** So that the first statements after a restore are planned for its rows. */
export async function analyze(db: Db): Promise<void> {
  await sql`analyze`.execute(db);
}

export interface Restore {
  readonly snapshot: string;
  /** Null: its rows are not in the database yet. */
  readonly loadedAt: Date | null;
  /** Null: it continues when it is called again. */
  readonly finishedAt: Date | null;
  readonly differences: number | null;
}

/** The restore that has begun in this database, if any. */
export async function selectRestore(db: Db): Promise<Restore | undefined> {
  return await db
    .selectFrom('restores')
    .select(['snapshot', 'loaded_at as loadedAt', 'finished_at as finishedAt', 'differences'])
    .executeTakeFirst();
}

/** For a database that may have no tables yet, and whose migrations may have to wait. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** The snapshot of a restore that has begun in this database and has not ended. */
export async function selectUnfinishedRestore(client: Queryable): Promise<string | undefined> {
  const exists = await client.query<{ exists: boolean }>(
    `select to_regclass('restores') is not null as exists`,
  );
  if (exists.rows[0]?.exists !== true) return undefined;
  const { rows } = await client.query<{ snapshot: string }>(
    'select snapshot from restores where finished_at is null',
  );
  return rows[0]?.snapshot;
}

/** If another restore has begun since, that one stays. */
export async function insertRestore(db: Db, snapshot: string, now: Date): Promise<void> {
  await db
    .insertInto('restores')
    .values({ snapshot, begun_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateRestore(
  db: Db,
  at: { readonly loaded_at: Date } | { readonly finished_at: Date; readonly differences: number },
): Promise<void> {
  await db.updateTable('restores').set(at).execute();
}

/** By the only row. */
export async function selectLastBackup(
  db: Db,
): Promise<{ snapshot: string; createdAt: Date } | undefined> {
  return await db
    .selectFrom('last_backup')
    .select(['snapshot', 'created_at as createdAt'])
    .executeTakeFirst();
}

/** Where the last daily backup was made, by `nameOfPlace`. Null: unknown. */
export async function selectDailyPlace(db: Db): Promise<string | null> {
  const last = db.selectFrom('last_backup').select('daily_place');
  return (await last.executeTakeFirst())?.daily_place ?? null;
}

/**
 * Unless a newer one is noted, from a backup that began later. A clock may have been ahead. `dailyPlace`:
 * null for a backup that is made by hand.
 */
export async function noteLastBackup(
  db: Db,
  snapshot: string,
  createdAt: string,
  dailyPlace: string | null,
): Promise<void> {
  await sql`
    insert into last_backup as known (snapshot, created_at, daily_place)
    values (${snapshot}, ${createdAt}::timestamptz, ${dailyPlace})
    on conflict (singleton) do update
    set snapshot = excluded.snapshot, created_at = excluded.created_at,
      daily_place = coalesce(excluded.daily_place, known.daily_place)
    where known.created_at < excluded.created_at or known.created_at > now()`.execute(db);
}

/** All-time downloads. */
export async function sumAllDownloads(db: Db): Promise<number> {
  const { rows } = await sql<{ downloads: number }>`
    select coalesce(sum(downloads), 0)::bigint as downloads from episode_download_totals`.execute(
    db,
  );
  return rows[0]?.downloads ?? 0;
}
