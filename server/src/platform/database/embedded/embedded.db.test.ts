import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openMemory } from '../../../../test/data-image.ts';
import { makePipe } from '../../../../test/make-pipe.ts';
import { type DatabaseConnection, openDatabase } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { EmbeddedDatabaseCrashedError } from './embedded-engine.ts';
import { DatabaseInUseError } from './lock-file.ts';

const KILLS = 3;
const ROWS_BEFORE_KILL = 25;
const databaseModule = new URL('../database.ts', import.meta.url).href;

let dataDir: string;
let logged: string[];
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'podstead-embedded-'));
  logged = [];
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true });
});

const note = (_fields: object, message: string) => void logged.push(message);
const log: DatabaseLog = { info: note, warn: note, error: note };

function openHere(): Promise<DatabaseConnection<unknown>> {
  return openDatabase({ kind: 'embedded', dataDir, log });
}

/** A process that has the database open and runs `code` with it, as `database`. */
function startElsewhere(code: string): ChildProcess {
  const source = `
    const { openDatabase } = await import(${JSON.stringify(databaseModule)});
    const log = { info() {}, warn() {}, error() {} };
    const dataDir = ${JSON.stringify(dataDir)};
    const database = await openDatabase({ kind: 'embedded', dataDir, log });
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

/** Kills the process after it has printed `lines` lines. Returns all complete lines. */
async function killWhileWriting(child: ChildProcess, lines: number): Promise<string[]> {
  let output = '';
  child.stdout!.on('data', (bytes: Buffer) => {
    output += bytes;
    if (output.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  // The text after the last line feed is an incomplete line.
  return output.split('\n').slice(0, -1);
}

// Only for the embedded database: a server handles these cases itself.
const options = { skip: process.env['TEST_DATABASE'] === 'postgres' };

describe('the embedded database', options, () => {
  test('the embedded database keeps every committed row through repeated kill -9', async () => {
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startElsewhere(`
        await database.pool.query('create table if not exists kept (id text)');
        for (let i = 0; ; i += 1) {
          await database.pool.query('insert into kept values ($1)', ['${kill}.' + i]);
          process.stdout.write('${kill}.' + i + '\\n');
        }`);
      acknowledged.push(...(await killWhileWriting(child, ROWS_BEFORE_KILL)));
    }
    await using database = await openHere();
    const { rows } = await database.pool.query<{ id: string }>('select id from kept');
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * ROWS_BEFORE_KILL);
    // At each kill, at most one row was written but not acknowledged.
    expect(stored.size).toBeLessThanOrEqual(acknowledged.length + KILLS);
    expect(logged).toEqual([]);
  });

  test('refuses a second process until the first has ended', async () => {
    const child = startElsewhere(`process.stdout.write('open')`);
    await once(child.stdout!, 'data');
    await expect(openHere()).rejects.toThrow(DatabaseInUseError);
    await expect(openHere()).rejects.toThrow(`by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using database = await openHere();
    await database.ping();
  });

  test('the embedded database starts after a start that was killed', async () => {
    await mkdir(join(dataDir, 'files.new/base'), { recursive: true });
    await writeFile(join(dataDir, 'files.new/PG_VERSION'), '18');
    {
      await using database = await openHere();
      await database.ping();
    }
    expect((await readdir(dataDir)).sort()).toEqual(['files', 'lock', 'lock.owner']);
  });

  test('the embedded database does not touch a folder with other content', async () => {
    await mkdir(join(dataDir, 'files'));
    await writeFile(join(dataDir, 'files/letter.txt'), 'Dear Ana');
    await expect(openHere()).rejects.toThrow();
    expect(await readFile(join(dataDir, 'files/letter.txt'), 'utf8')).toBe('Dear Ana');
  });

  test("refuses a damaged database with PostgreSQL's message", async () => {
    await (await openHere())[Symbol.asyncDispose]();
    await rm(join(dataDir, 'files/global/pg_control'));
    await expect(openHere()).rejects.toThrow(/pg_control|control file/);
    // The lock was released: the next attempt fails with the same error.
    await expect(openHere()).rejects.not.toThrow(DatabaseInUseError);
  });

  test('fails waiting queries after a crash, reports it, and serves the next query', async () => {
    await using database = await openHere();
    await database.pool.query('create table kept (id int)');
    await database.pool.query('insert into kept values (1)');
    // This statement crashes the embedded server.
    const crash = database.pool.query('copy kept from stdin');
    const waiting = database.pool.query('select pg_sleep(0)');
    const ends = Promise.allSettled([crash, waiting]);
    await expect(crash).rejects.toThrow(EmbeddedDatabaseCrashedError);
    await ends;
    expect(logged).toContain('the embedded database crashed');
    const { rows } = await database.pool.query('select id from kept');
    expect(rows).toEqual([{ id: 1 }]);
  });

  test('the embedded database does not restart an in-memory database empty after a crash', async () => {
    await using database = await openMemory(log);
    await expect(database.pool.query('copy users from stdin')).rejects.toThrow();
    await expect(database.pool.query('select 1')).rejects.toThrow('lost');
  });

  test('the embedded database is closed when its lock file is gone', async () => {
    await using database = await openHere();
    await database.ping();
    const died = once(database.pool, 'error');
    await rm(join(dataDir, 'lock'));
    await died;
    await expect(database.ping()).rejects.toThrow();
    expect(logged).toContain('the embedded database was abandoned');
  });

  // FAULT-1
  test('a snapshot that would use up the reserve of the disk is not copied', async () => {
    const options = { kind: 'embedded', dataDir, log } as const;
    const copies = async () => await readdir(join(dataDir, 'snapshots'));
    const { blocks, bsize } = await statfs(dataDir);
    {
      await using database = await openDatabase({ ...options, spareBytes: blocks * bsize });
      await expect(database.openSnapshot([])).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(await copies()).toEqual([]);
      await database.ping();
    }
    await using database = await openDatabase({ ...options, spareBytes: 0 });
    await using _snapshot = await database.openSnapshot([]);
    expect(await copies()).toHaveLength(1);
  });

  test('a snapshot that cannot be copied leaves nothing behind', async () => {
    await using database = await openHere();
    makePipe(join(dataDir, 'files/unlike'));
    await expect(database.openSnapshot([])).rejects.toThrow('FIFO');
    expect(await readdir(join(dataDir, 'snapshots'))).toEqual([]);
    await database.ping();
  });

  test('closes while queries wait, without hanging', async () => {
    const database = await openHere();
    const client = await database.pool.connect();
    const slow = client.query('select count(*) from generate_series(1, 20000)');
    const closed = database[Symbol.asyncDispose]();
    await slow;
    client.release();
    await closed;
    await expect(database.ping()).rejects.toThrow();
  });
});
