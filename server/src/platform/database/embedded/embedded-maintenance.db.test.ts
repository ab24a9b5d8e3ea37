import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DiskRoom } from '../../blob-store/disk-room.ts';
import { type DatabaseConnection, openDatabase } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { EmbeddedMaintenance } from './embedded-maintenance.ts';

const logged: string[] = [];
const note = (_fields: object, message: string) => void logged.push(message);
const log: DatabaseLog = { info: note, warn: note, error: note };

// A server has its own checkpointer and autovacuum.
describe.skipIf(process.env['TEST_DATABASE'] === 'postgres')('embedded maintenance', () => {
  let dataDir: string;
  let database: DatabaseConnection<unknown>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'podstead-maintenance-'));
    database = await openDatabase({ kind: 'embedded', dataDir, log });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });

  /** Makes an EmbeddedMaintenance whose timers never fire. */
  function newMaintenance(checkpointMs: number, freeBytes = 2 ** 30): EmbeddedMaintenance {
    const never = 2 ** 30;
    const room = new DiskRoom(dataDir, {
      spareBytes: 32 * 1024 * 1024,
      readFreeBytes: async () => freeBytes,
    });
    return new EmbeddedMaintenance({ pool: database.pool, room }, log, {
      checkMs: never,
      checkpointMs,
      firstVacuumMs: never,
      vacuumMs: never,
    });
  }

  async function bytesSinceCheckpoint(): Promise<number> {
    const { rows } = await database.pool.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes
       from pg_control_checkpoint()`,
    );
    return rows[0]!.bytes;
  }

  test('a checkpoint limits the size of the log', async () => {
    await using maintenance = newMaintenance(0);
    await database.pool.query('create table filled (text text)');
    const sizes: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await database.pool.query(
        `insert into filled select repeat(md5(n::text), 30) from generate_series(1, 8000) as n`,
      );
      await maintenance.checkpointIfDue();
      sizes.push((await readdir(join(dataDir, 'files/pg_wal'))).length);
    }
    expect(sizes.at(-1)).toBeLessThanOrEqual(sizes[1]!);
    expect(await bytesSinceCheckpoint()).toBeLessThan(10_000);
  });

  // FAULT-1
  test('no checkpoint begins on a disk that is almost full, because it would end the database', async () => {
    await using maintenance = newMaintenance(0, 31 * 1024 * 1024);
    await database.pool.query(`create table kept as select repeat('x', 9000) as text`);
    await expect(maintenance.checkpointIfDue()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await bytesSinceCheckpoint()).toBeGreaterThan(0);
  });

  test('a checkpoint runs at once after many writes', async () => {
    await using maintenance = newMaintenance(60 * 60_000);
    await database.pool.query('create table large (text text)');
    await database.pool.query(
      `insert into large select repeat(md5(n::text), 30) from generate_series(1, 40000) as n`,
    );
    expect(await bytesSinceCheckpoint()).toBeGreaterThan(32 * 1024 * 1024);
    await maintenance.checkpointIfDue();
    expect(await bytesSinceCheckpoint()).toBeLessThan(10_000);
  });

  test.each([
    ['it is not yet time', 60 * 60_000, 'create table small (id int)'],
    ['nothing was written', 0, 'checkpoint'],
  ])('no checkpoint is made when %s', async (_name, checkpointMs, before) => {
    await using maintenance = newMaintenance(checkpointMs);
    await database.pool.query(before);
    const bytes = await bytesSinceCheckpoint();
    await maintenance.checkpointIfDue();
    expect(await bytesSinceCheckpoint()).toBe(bytes);
  });

  test('a vacuum frees deleted rows and updates the statistics', async () => {
    await using maintenance = newMaintenance(0);
    await database.pool.query('create table emptied (id int)');
    await database.pool.query('insert into emptied select generate_series(1, 20000)');
    await database.pool.query('delete from emptied where id > 10');
    await maintenance.vacuum();
    const { rows } = await database.pool.query(
      `select reltuples::int as rows, pg_relation_size('emptied') / 8192 as pages
       from pg_class where relname = 'emptied'`,
    );
    expect(rows).toEqual([{ rows: 10, pages: 1 }]);
    expect(logged).toEqual([]);
  });

  test('a vacuum ends after its current table when the database is to close', async () => {
    const maintenance = newMaintenance(0);
    const vacuum = maintenance.vacuum();
    await maintenance[Symbol.asyncDispose]();
    await vacuum;
    await database.ping();
  });
});
