import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import type { DatabaseConnection } from '../database.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { MigrationError, migrationsFolder, NoTablesError } from './migration-files.ts';

const first = { '0001-first.sql': 'create table firsts (id int);' };
const second = {
  '0002-second.sql': 'create table seconds (id int); insert into firsts values (1);',
};

let folder: string;
let database: TestDatabase<unknown>;
let connection: DatabaseConnection<unknown>;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = database.connection;
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-migrate-'));
  // Starts without any migration. No table of Podstead has one of these names.
  await connection.pool.query('drop table if exists schema_migrations, firsts, seconds, others');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
}

async function countFirsts(): Promise<number> {
  const { rows } = await connection.pool.query('select count(*) as count from firsts');
  return rows[0].count;
}

describe('migrate', () => {
  test('applies missing migrations in order, each once', async () => {
    await write(first);
    expect(await migrate(connection, folder)).toEqual(['0001-first.sql']);
    await write(second);
    expect(await migrate(connection, folder)).toEqual(['0002-second.sql']);
    expect(await migrate(connection, folder)).toEqual([]);
    expect(await countFirsts()).toBe(1);
  });

  // CLI-11
  test('applies each migration once if several processes run it', async () => {
    await write({ ...first, ...second });
    const applied = await Promise.all([1, 2, 3].map(() => migrate(connection, folder)));
    expect(applied.flat().sort()).toEqual(['0001-first.sql', '0002-second.sql']);
    expect(await countFirsts()).toBe(1);
  });

  test('a restore applies only the first files, and only to a database without any', async () => {
    await write({ ...first, ...second });
    expect(await migrate(connection, folder, { first: 1 })).toEqual(['0001-first.sql']);
    expect(await migrate(connection, folder, { first: 2 })).toEqual([]);
    expect(await migrate(connection, folder)).toEqual(['0002-second.sql']);
  });

  test('undoes a failed file and keeps the earlier ones', async () => {
    await write({ ...first, '0002-bad.sql': 'insert into firsts values (1); select nothing;' });
    await expect(migrate(connection, folder)).rejects.toThrow(MigrationError);
    await expect(migrate(connection, folder)).rejects.toThrow('0002-bad.sql');
    expect(await countFirsts()).toBe(0);
    await write({ '0002-bad.sql': 'insert into firsts values (1);' });
    expect(await migrate(connection, folder)).toEqual(['0002-bad.sql']);
    expect(await countFirsts()).toBe(1);
  });

  test('refuses a file that ends its own transaction', async () => {
    await write({ '0001-first.sql': 'create table firsts (id int); commit;' });
    await expect(migrate(connection, folder)).rejects.toThrow('0001-first.sql');
  });

  test.each([
    ['a file changed', { '0001-first.sql': 'create table others (id int);' }, 'has changed'],
    ['one was put in before', { '0000-zero.sql': 'select 1;' }, 'comes before'],
  ])('refuses when %s after it was applied', async (_name, files, message) => {
    await write(first);
    await migrate(connection, folder);
    await write(files as Record<string, string>);
    await expect(migrate(connection, folder)).rejects.toThrow(MigrationError);
    await expect(migrate(connection, folder)).rejects.toThrow(message);
    await expect(pendingMigrations(connection, folder)).rejects.toThrow(message);
  });

  test('refuses a database that is newer than the code, and names its migrations', async () => {
    await write({ ...first, ...second });
    await migrate(connection, folder);
    await rm(join(folder, '0002-second.sql'));
    await expect(migrate(connection, folder)).rejects.toThrow('0002-second.sql');
  });

  test('migrate does not begin a database that must have tables, and continues with one that has', async () => {
    await write(first);
    const existing = { mayBegin: false };
    await expect(migrate(connection, folder, existing)).rejects.toThrow(NoTablesError);
    expect(await pendingMigrations(connection, folder)).toEqual(['0001-first.sql']);
    await migrate(connection, folder);
    await write(second);
    expect(await migrate(connection, folder, existing)).toEqual(['0002-second.sql']);
  });

  test('leaves the pool unchanged', async () => {
    await write(first);
    const read = () => connection.pool.query('show statement_timeout');
    const before = (await read()).rows;
    await migrate(connection, folder);
    expect((await read()).rows).toEqual(before);
  });
});

describe('pendingMigrations', () => {
  test('lists only files that are not yet applied', async () => {
    await write({ ...first, ...second });
    expect(await pendingMigrations(connection, folder)).toEqual(
      Object.keys({ ...first, ...second }),
    );
    await migrate(connection, folder);
    expect(await pendingMigrations(connection, folder)).toEqual([]);
  });

  test('reads neither folder nor database once the list was empty', async () => {
    await write(first);
    await migrate(connection, folder);
    expect(await pendingMigrations(connection, folder)).toEqual([]);
    await rm(join(folder, '0001-first.sql'));
    await connection.pool.query('drop table schema_migrations');
    expect(await pendingMigrations(connection, folder)).toEqual([]);
  });

  test('pendingMigrations is empty for a test database', async () => {
    await using other = await createTestDatabase();
    expect(await pendingMigrations(other.connection, migrationsFolder)).toEqual([]);
  });
});
