import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import rootPackage from '../../../../../package.json' with { type: 'json' };
import { isReleaseSince } from '../../../lib/is-release-since.ts';
import type { DatabaseLog } from '../database-log.ts';
import { isLockTimeout, isTransactionConflict } from '../sql-errors.ts';
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
// While a statement waits for a table, every later one waits behind it. So it gives up before anybody
// notices, and before PostgreSQL looks for deadlocks, which might end a transaction of others.
const LOCK_TIMEOUT_MS = 500;
const LOCK_PAUSE_MS = 1_000;
const LOCK_PATIENCE_MS = 15 * 60 * 1_000;

const upToDate = new WeakMap<Migratable, Set<string>>();

export interface MigrateOptions {
  readonly mayBegin?: boolean | undefined;
  readonly first?: number | undefined;
  /** Throws if this database must stay as it is. Asked under the lock, before each file. */
  readonly refuse?: ((client: Pick<pg.PoolClient, 'query'>) => Promise<void>) | undefined;
  /** The version of this code. */
  readonly release?: string | undefined;
  readonly log?: Pick<DatabaseLog, 'warn'> | undefined;
  /** How long it tries to lock tables that others use. */
  readonly lockPatienceMs?: number | undefined;
}

/**
 * Applies the missing migrations, each in its own transaction, and returns their names. Several
 * processes may call it at once: one works, the others wait. Throws MigrationError if a file fails,
 * an applied file has changed, or the database is so much newer than this code that the two don't work
 * together, and what `refuse` throws. `mayBegin`: false throws NoTablesError for a database to which no
 * migration was ever applied. `first`: applies only so many files, in one transaction, and only to a database
 * without any.
 */
export async function migrate(
  database: Migratable,
  folder: string,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const files = await readMigrations(folder);
  const client = await database.pool.connect();
  try {
    const names: string[] = [];
    for (;;) {
      const applied = await applyNextWhenFree(client, files, options);
      names.push(...applied);
      if (applied.length === 0 || options.first !== undefined) return names;
    }
  } finally {
    // Closing the connection always ends a transaction that failed.
    client.release(true);
  }
}

/** Tables may be in use for long, for example by a backup: it asks again and again. */
async function applyNextWhenFree(
  client: pg.PoolClient,
  files: readonly MigrationFile[],
  options: MigrateOptions,
): Promise<readonly string[]> {
  const endAtMs = performance.now() + (options.lockPatienceMs ?? LOCK_PATIENCE_MS);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyNext(client, files, options);
    } catch (error) {
      const cause = error instanceof MigrationError ? error.cause : error;
      const mayRetry = isLockTimeout(cause) || isTransactionConflict(cause);
      if (!mayRetry || performance.now() > endAtMs) throw error;
      const { message: reason } = error as Error;
      if (attempt === 1)
        options.log?.warn({ reason }, 'a migration waits for tables that others use');
      await run(client, 'rollback');
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

/**
 * A transaction with a lock and a setting of its own, because a pooler may give the next one another
 * session. Returns the names of the files that it applied.
 */
async function applyNext(
  client: pg.PoolClient,
  files: readonly MigrationFile[],
  { mayBegin = true, first, refuse, release = rootPackage.version }: MigrateOptions,
): Promise<readonly string[]> {
  await run(client, 'begin');
  await run(client, 'set local statement_timeout = 0');
  await run(client, `select pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  await run(client, `set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  // Under the lock: a command may start beside the first server.
  if (!mayBegin && !(await hasMigrations(client)))
    throw new NoTablesError(await describeDatabase(client));
  await refuse?.(client);
  await run(
    client,
    `create table if not exists schema_migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`,
  );
  const applied = await readApplied(client);
  const missing = pendingFiles(files, applied, release);
  const mostAtOnce = first === undefined ? 1 : applied.size === 0 ? first : 0;
  const pending = missing.slice(0, mostAtOnce);
  // Databases that were begun before this column existed get it with their next migration.
  if (pending.length > 0)
    await run(client, 'alter table schema_migrations add if not exists oldest_release text');
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
  release: string = rootPackage.version,
): Promise<readonly string[]> {
  const remembered = upToDate.get(database) ?? new Set();
  if (remembered.has(folder)) return [];
  const files = await readMigrations(folder);
  const applied = (await hasMigrations(database.pool))
    ? await readApplied(database.pool)
    : new Map<string, AppliedMigration>();
  const pending = pendingFiles(files, applied, release);
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

interface AppliedMigration {
  readonly name: string;
  readonly sha256: string;
  /** As in its file. */
  readonly oldestRelease: string | null;
}

/** By name. */
async function readApplied(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<Map<string, AppliedMigration>> {
  // The column may be missing.
  const { rows } = await client.query<AppliedMigration>(
    `select name, sha256, to_jsonb(applied) ->> 'oldest_release' as "oldestRelease"
     from schema_migrations applied order by name collate "C"`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

function pendingFiles(
  files: readonly MigrationFile[],
  applied: ReadonlyMap<string, AppliedMigration>,
  release: string,
): readonly MigrationFile[] {
  refuseNewer(files, [...applied.values()], release);
  const lastApplied = [...applied.keys()].at(-1) ?? '';
  for (const { name, sha256 } of files) {
    const appliedHash = applied.get(name)?.sha256;
    if (appliedHash !== undefined && appliedHash !== sha256) {
      throw new MigrationError(`${name} has changed since it was applied; add a new file instead`);
    }
    if (appliedHash === undefined && name < lastApplied) {
      throw new MigrationError(`${name} comes before ${lastApplied}, which is already applied`);
    }
  }
  return files.filter(({ name }) => !applied.has(name));
}

/** RELEASE-6: the migrations of the next release are fine, those of a later one are not. */
function refuseNewer(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
  release: string,
): void {
  const known = new Set(files.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name));
  const names = unknown.map(({ name }) => name).join(', ');
  const lastKnown = files.at(-1)?.name ?? '';
  for (const { name, oldestRelease } of unknown) {
    if (name < lastKnown || oldestRelease === null) {
      throw new MigrationError(
        `the database is newer than this code: it has ${names}; install that version`,
      );
    }
    if (!isReleaseSince(release, oldestRelease)) {
      throw new MigrationError(
        `the database is newer than this code: it has ${names}, and ${name} works with Podstead ${oldestRelease} and newer; this is ${release}`,
      );
    }
  }
}

/** Applies these files, or none of them, and commits. */
async function applyTogether(
  client: pg.PoolClient,
  files: readonly MigrationFile[],
): Promise<void> {
  let current: string | undefined;
  try {
    for (const { name, sha256, sql, oldestRelease } of files) {
      current = name;
      await run(client, sql);
      // Detected after the fact, but before the file counts as applied.
      if (client.getTransactionStatus() !== 'T') throw new Error('it ends its transaction itself');
      await client.query(
        'insert into schema_migrations (name, sha256, oldest_release) values ($1, $2, $3)',
        [name, sha256, oldestRelease ?? null],
      );
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
