import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { DiskRoom } from '../blob-store/disk-room.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { DatabaseServers } from './connections/database-servers.ts';
import { borrowSession, openServerSession } from './connections/long-session.ts';
import { createEmbeddedPool, endPool } from './connections/pools.ts';
import type { DatabaseLog } from './database-log.ts';
import { openCheckpointRoom, runCheckpoint } from './embedded/checkpoint.ts';
import { EmbeddedEngine } from './embedded/embedded-engine.ts';
import { migrationsFolder, readMigrations } from './migrations/migration-files.ts';
import type { DatabaseSnapshot, LongSession } from './snapshot.ts';

/**
 * Of a database server: a transaction on a connection of its own. A statement that rewrites one of these
 * tables waits for it: afterwards the snapshot would find the table empty.
 */
export async function openServerSnapshot<Tables>(
  servers: DatabaseServers,
  tables: readonly string[],
): Promise<DatabaseSnapshot<Tables>> {
  const session = await openServerSession<Tables>(servers);
  return await beginReading(session, new AsyncDisposableStack(), tables);
}

const copiesFolder = (dataDir: string) => join(dataDir, 'snapshots');

interface EmbeddedFiles {
  readonly dataDir: string;
  readonly filesDir: string;
  readonly spareBytes?: number | undefined;
  readonly log: DatabaseLog;
}

/**
 * Of the embedded database: a second engine on a copy of its files, because the first has a single
 * session. Everyone waits while the files are copied, which takes about a second for a gigabyte. Throws
 * DiskReserveError if the disk has no room for the copy.
 */
export async function openEmbeddedSnapshot<Tables>(
  pool: pg.Pool,
  { dataDir, filesDir, spareBytes, log }: EmbeddedFiles,
): Promise<DatabaseSnapshot<Tables>> {
  await using opened = new AsyncDisposableStack();
  const copy = join(copiesFolder(dataDir), randomUUID());
  await makeFolder(copiesFolder(dataDir), 0o700);
  opened.defer(() => rm(copy, { recursive: true, force: true }));
  // Before anyone has to wait. The reserve has room for what is written meanwhile.
  await new DiskRoom(dataDir, { spareBytes }).require(await countBytes(filesDir));
  await copyFiles(pool, filesDir, copy);
  const engine = opened.use(new EmbeddedEngine({ filesDir: copy, image: undefined }, log));
  await engine.ensureRunning();
  const copyPool = createEmbeddedPool(engine, log);
  opened.defer(() => endPool(copyPool));
  const session = await borrowSession<Tables>(copyPool);
  return await beginReading(session, opened.move());
}

/** Copies that a killed process has left. Only call it with the lock of the folder. */
export async function removeSnapshots(dataDir: string): Promise<void> {
  await rm(copiesFolder(dataDir), { recursive: true, force: true });
}

/** For tests: a database in memory has no files. Everyone waits until it is disposed. */
export async function holdSnapshot<Tables>(pool: pg.Pool): Promise<DatabaseSnapshot<Tables>> {
  return await beginReading(await borrowSession<Tables>(pool), new AsyncDisposableStack());
}

async function copyFiles(pool: pg.Pool, filesDir: string, copy: string): Promise<void> {
  // Most of what is to be written is written before anyone has to wait.
  const room = openCheckpointRoom(filesDir);
  await runCheckpoint(pool, room);
  // While this one has the only session, nothing is written.
  const client = await pool.connect();
  try {
    await runCheckpoint(client, room);
    // Where the file system can share blocks, this takes no time.
    await cp(filesDir, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } catch (error) {
    // If the disk is full, whoever has the session next should find room to write.
    await rm(copy, { recursive: true, force: true });
    throw error;
  } finally {
    client.release();
  }
}

async function countBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => {
    // The database removes files of its own.
    const found = await stat(join(parentPath, name)).catch(() => undefined);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

async function beginReading<Tables>(
  session: LongSession<Tables>,
  resources: AsyncDisposableStack,
  lockedTables: readonly string[] = [],
): Promise<DatabaseSnapshot<Tables>> {
  resources.use(session);
  try {
    await sql`begin transaction isolation level repeatable read read only`.execute(session.query);
    if (lockedTables.length > 0) {
      const tables = sql.join(lockedTables.map((name) => sql`only ${sql.table(name)}`));
      await sql`lock table ${tables} in access share mode`.execute(session.query);
    }
    // The first statement that reads decides which moment it is.
    const { rows } = await sql<{ at: Date }>`select now() as at`.execute(session.query);
    return {
      at: rows[0]?.at ?? new Date(),
      query: session.query,
      findNewerMigrations: () => findNewerMigrations(session),
      [Symbol.asyncDispose]: async () => {
        await sql`rollback`.execute(session.query).catch(() => undefined);
        await resources.disposeAsync();
      },
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function findNewerMigrations<Tables>({
  query,
}: LongSession<Tables>): Promise<readonly string[]> {
  const ours = new Set((await readMigrations(migrationsFolder)).map(({ name }) => name));
  const { rows } = await sql<{ name: string }>`
    select name from schema_migrations order by name`.execute(query);
  return rows.map(({ name }) => name).filter((name) => !ours.has(name));
}
