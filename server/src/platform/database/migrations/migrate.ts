import type pg from 'pg';
import {
  MigrationError,
  type MigrationFile,
  NoTablesError,
  readMigrations,
} from './migration-files.ts';

/** The part of a database that migrations need. */
export interface Migratable {
  readonly pool: pg.Pool;
}

// Any number, but the same in every process of Podstead.
const ADVISORY_LOCK = 7_629_471_103;
// A migration may be slow: neither statement_timeout nor a limit on its response.
const QUERY_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

const upToDate = new WeakMap<Migratable, Set<string>>();

export interface MigrateOptions {
  readonly mayBegin?: boolean | undefined;
  readonly first?: number | undefined;
}

/**
 * Applies the missing migrations, each in its own transaction, and returns their names. Several
 * processes may call it at once: one works, the others wait. Throws MigrationError if a file fails,
 * an applied file has changed, or the database is newer than this code. `mayBegin`: false throws
 * NoTablesError for a database to which no migration was ever applied. `first`: applies only so many
 * files, in one transaction, and only to a database without any.
 */
export async function migrate(
  database: Migratable,
  folder: string,
  { mayBegin = true, first }: MigrateOptions = {},
): Promise<readonly string[]> {
  const files = await readMigrations(folder);
  const client = await database.pool.connect();
  try {
    const names: string[] = [];
    for (;;) {
      const applied = await applyNext(client, files, { mayBegin, first });
      names.push(...applied);
      if (applied.length === 0 || first !== undefined) return names;
    }
  } finally {
    // Closing the connection always ends a transaction that failed.
    client.release(true);
  }
}

/**
 * A transaction with a lock and a setting of its own, because a pooler may give the next one another
 * session. Returns the names of the files that it applied.
 */
async function applyNext(
  client: pg.PoolClient,
  files: readonly MigrationFile[],
  { mayBegin, first }: { readonly mayBegin: boolean; readonly first: number | undefined },
): Promise<readonly string[]> {
  await run(client, 'begin');
  await run(client, 'set local statement_timeout = 0');
  await run(client, `select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  // Under the lock: a command may start beside the first server.
  if (!mayBegin && !(await hasMigrations(client)))
    throw new NoTablesError(await describeDatabase(client));
  await run(
    client,
    `create table if not exists schema_migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`,
  );
  const applied = await readApplied(client);
  const missing = pendingFiles(files, applied);
  const mostAtOnce = first === undefined ? 1 : applied.size === 0 ? first : 0;
  const pending = missing.slice(0, mostAtOnce);
  await applyTogether(client, pending);
  return pending.map(({ name }) => name);
}

/**
 * The names of the missing migrations. An empty result is cached, so repeated calls are cheap.
 * Throws MigrationError whenever `migrate` would.
 */
export async function pendingMigrations(
  database: Migratable,
  folder: string,
): Promise<readonly string[]> {
  const remembered = upToDate.get(database) ?? new Set();
  if (remembered.has(folder)) return [];
  const files = await readMigrations(folder);
  const applied = (await hasMigrations(database.pool))
    ? await readApplied(database.pool)
    : new Map<string, string>();
  const pending = pendingFiles(files, applied);
  if (pending.length === 0) upToDate.set(database, remembered.add(folder));
  return pending.map(({ name }) => name);
}

async function hasMigrations(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  return rows[0]?.exists === true;
}

/** Without user and password. Asks the server, because its address may leave out the name. */
async function describeDatabase(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const { host, port } = client as unknown as pg.Client;
  return `${rows[0]?.name} at ${host}:${port}`;
}

/** sha256 by name. */
async function readApplied(client: Pick<pg.ClientBase, 'query'>): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  );
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

function pendingFiles(
  files: readonly MigrationFile[],
  applied: ReadonlyMap<string, string>,
): readonly MigrationFile[] {
  const known = new Set(files.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) {
    throw new MigrationError(
      `the database is newer than this code: it has ${unknown.join(', ')}; install that version`,
    );
  }
  const lastApplied = [...applied.keys()].sort().at(-1) ?? '';
  for (const { name, sha256 } of files) {
    const appliedHash = applied.get(name);
    if (appliedHash !== undefined && appliedHash !== sha256) {
      throw new MigrationError(`${name} has changed since it was applied; add a new file instead`);
    }
    if (appliedHash === undefined && name < lastApplied) {
      throw new MigrationError(`${name} comes before ${lastApplied}, which is already applied`);
    }
  }
  return files.filter(({ name }) => !applied.has(name));
}

/** Applies these files, or none of them, and commits. */
async function applyTogether(
  client: pg.PoolClient,
  files: readonly MigrationFile[],
): Promise<void> {
  let current: string | undefined;
  try {
    for (const { name, sha256, sql } of files) {
      current = name;
      await run(client, sql);
      // Detected after the fact, but before the file counts as applied.
      if (client.getTransactionStatus() !== 'T') throw new Error('it ends its transaction itself');
      await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
        name,
        sha256,
      ]);
    }
    await run(client, 'commit');
  } catch (error) {
    // The connection is closed next, which rolls back.
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`migration ${current} failed: ${reason}`, { cause: error });
  }
}

async function run(client: pg.PoolClient, text: string): Promise<void> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    text,
    query_timeout: QUERY_TIMEOUT_MS,
  };
  await client.query(query);
}
