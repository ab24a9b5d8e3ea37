import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { isOnServer } from '../../../../test/which-database.ts';
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

  // RELEASE-6
  test.each([
    ['0.2.0', '-- works with: 0.2.0\n', undefined],
    ['0.2.1', '-- works with: 0.2.0\n', undefined],
    [
      '0.1.9',
      '-- works with: 0.2.0\n',
      '0003-third.sql works with Podstead 0.2.0 and newer; this is 0.1.9',
    ],
    ['0.2.0-rc.1', '-- works with: 0.2.0\n', 'this is 0.2.0-rc.1'],
    ['0.2.0', '', 'it has 0002-second.sql, 0003-third.sql; install that version'],
  ])(
    'release %s starts with migrations of a newer one that say "%s", or says why not: %s',
    async (release, line, problem) => {
      const third = { '0003-third.sql': `${line}create table others (id int);` };
      const newer = { '0002-second.sql': `-- works with: 0.1.0\n${second['0002-second.sql']}` };
      await write({ ...first, ...newer, ...third });
      await migrate(connection, folder, { release: '0.3.0' });
      for (const name of Object.keys({ ...newer, ...third })) await rm(join(folder, name));
      const starts = migrate(connection, folder, { release });
      const isReady = starts.then(() => pendingMigrations(connection, folder, release));
      if (problem === undefined) expect(await isReady).toEqual([]);
      else await expect(isReady).rejects.toThrow(problem);
    },
  );

  // RELEASE-6
  test('refuses migrations of a newer release beside its own that are missing', async () => {
    const newer = { '0002-second.sql': `-- works with: 0.1.0\n${second['0002-second.sql']}` };
    await write({ ...first, ...newer });
    await migrate(connection, folder);
    await rm(join(folder, '0002-second.sql'));
    await write({ '0003-third.sql': 'create table others (id int);' });
    await expect(migrate(connection, folder)).rejects.toThrow('it has 0002-second.sql; install');
  });

  test('a database that was begun before releases were noted is migrated', async () => {
    await write(first);
    await migrate(connection, folder);
    await connection.pool.query('alter table schema_migrations drop column oldest_release');
    expect(await pendingMigrations(connection, folder)).toEqual([]);
    await write(second);
    expect(await migrate(connection, folder)).toEqual(['0002-second.sql']);
  });

  // RELEASE-8. The embedded database has only one session.
  test.runIf(isOnServer)(
    'migrate waits for a table in use without making others wait, and goes on',
    async () => {
      await write({ ...first, '0002-add.sql': 'alter table firsts add note text;' });
      await migrate(connection, folder, { first: 1 });
      const reader = await connection.pool.connect();
      await reader.query('begin; select from firsts');
      const warn = vi.fn();
      const log = { warn };
      const migrating = migrate(connection, folder, { log });
      await expect.poll(() => warn.mock.calls.length, patience).toBe(1);
      expect(warn.mock.lastCall?.[0].reason).toContain('0002-add.sql');
      // A statement that has to wait for the migration waits until that gives up.
      await connection.pool.query('insert into firsts values (1)');
      await reader.query('rollback');
      reader.release();
      expect(await migrating).toEqual(['0002-add.sql']);
      expect(warn).toHaveBeenCalledTimes(1);
    },
  );

  // RELEASE-8
  test.runIf(isOnServer)(
    'migrate gives up on a table that stays in use, and leaves nothing behind',
    async () => {
      await write({
        ...first,
        '0002-add.sql': 'insert into firsts values (1); alter table firsts add note text;',
      });
      await migrate(connection, folder, { first: 1 });
      const reader = await connection.pool.connect();
      await reader.query('begin; select from firsts');
      const migrating = migrate(connection, folder, { lockPatienceMs: 0 });
      await expect(migrating).rejects.toThrow(/0002-add.sql failed: .*lock timeout/);
      await reader.query('rollback');
      reader.release();
      expect(await countFirsts()).toBe(0);
    },
  );

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
