import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext } from '../../../../test/create-test-context.ts';
import {
  hasPgBouncer,
  keepsPreparedStatements,
  PgBouncer,
} from '../../../../test/hosts/pgbouncer.ts';
import { hasPostgresPrograms, PostgresServer } from '../../../../test/hosts/postgres-server.ts';
import { patience } from '../../../../test/patience.ts';
import { testDatabaseUrl } from '../../../../test/postgres-available.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import type { Tables } from '../../../domain/foundation/database.ts';
import { startWorker } from '../../../worker/start-worker.ts';
import { type DatabaseConnection, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrationsFolder } from '../migrations/migration-files.ts';
import { inTransaction } from '../transaction.ts';

// A real PgBouncer in both modes.

const canPool = isOnServer && hasPgBouncer;
let opened: AsyncDisposableStack;
let database: TestDatabase<Tables>;
let name: string;
let warnings: string[];
const log = {
  info: () => undefined,
  warn: (_: object, message: string) => void warnings.push(message),
  error: () => undefined,
};

beforeEach(async () => {
  if (!canPool) return;
  opened = new AsyncDisposableStack();
  warnings = [];
  database = opened.use(await createTestDatabase<Tables>());
  name = new URL(database.url ?? '').pathname.slice(1);
});
afterEach(async () => {
  if (canPool) await opened.disposeAsync();
});

const openThrough = async (
  pooler: PgBouncer,
  more: { readonly listenUrl?: string | undefined; readonly poolSize?: number } = {},
): Promise<DatabaseConnection<Tables>> =>
  opened.use(
    await openDatabase<Tables>({
      ...{ kind: 'server', url: pooler.urlOf(name), poolSize: 4, log, ...more },
    }),
  );

/** Records the work that a connection learns of. */
function listen({ announcements }: DatabaseConnection<Tables>, isWaiting = false): string[] {
  const heard: string[] = [];
  const listener = {
    onChange: () => undefined,
    onGap: () => undefined,
    onWork: (job: string) => void heard.push(job),
  };
  opened.defer(announcements.subscribe(listener, { isWaiting }));
  return heard;
}

/** Statements with and without parameters, in and outside of transactions, many at once. */
async function useMuch({ query, pool }: DatabaseConnection<Tables>): Promise<void> {
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const { rows } = await sql<{ n: number }>`select ${n}::int as n`.execute(query);
      expect(rows).toEqual([{ n }]);
      const doubled = await inTransaction(query, async (db) => {
        await sql`set local work_mem = ${sql.lit(`${1024 + n}kB`)}`.execute(db);
        const inside = await sql<{ n: number }>`select ${n}::int * 2 as n`.execute(db);
        return inside.rows[0]?.n;
      });
      expect(doubled).toBe(n * 2);
      await pool.query('select 1');
    }),
  );
}

describe.runIf(canPool)('a pooler in session mode', () => {
  let pooler: PgBouncer;
  beforeAll(async () => {
    pooler = await PgBouncer.start(testDatabaseUrl, 'session');
  });
  afterAll(() => pooler[Symbol.asyncDispose]());

  it('a pooler in session mode does everything, and nothing is said about it', async () => {
    const connection = await openThrough(pooler, { poolSize: 2 });
    await connection.refuseUnsuitable();
    await useMuch(connection);
    const heard = listen(connection);
    await vi.waitFor(async () => {
      await database.connection.announcements.announceWork(database.connection.query, 'hello');
      expect(heard).toContain('hello');
    }, patience);
    const { rows } = await connection.pool.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '30s' }]);
    expect(warnings).toEqual([]);
  });
});

describe.runIf(canPool)('a pooler in transaction mode', () => {
  let pooler: PgBouncer;
  beforeAll(async () => {
    pooler = await PgBouncer.start(testDatabaseUrl, 'transaction');
  });
  afterAll(() => pooler[Symbol.asyncDispose]());

  // DB-9
  it('a pooler in transaction mode gets statements that need no session, and the log says what to set', async () => {
    const connection = await openThrough(pooler);
    await connection.refuseUnsuitable();
    await useMuch(connection);
    const unprepared = expect.stringMatching(
      /keeps no prepared statements.*PgBouncer 1\.21 or newer/,
    );
    expect(warnings).toEqual([
      ...(keepsPreparedStatements ? [] : [unprepared]),
      expect.stringMatching(/ALTER ROLE postgres SET statement_timeout = 30000;/),
    ]);
  });

  // DB-8
  it('a pooler in transaction mode delays changes by a second at most, and the log says how to avoid it', async () => {
    const connection = await openThrough(pooler);
    const heard = listen(connection, true);
    await vi.waitUntil(() => warnings.some((text) => text.includes('LISTEN')), patience);
    expect(warnings.join()).toMatch(/drops LISTEN: set DATABASE_LISTEN_URL/);
    // The first answer of a connection is "anything may have changed".
    await connection.announcements.freshness.confirm();
    await database.connection.announcements.announceWork(database.connection.query, 'hello');
    await vi.waitFor(() => expect(heard).toContain('hello'), patience);
  });

  // DB-7
  it('a pooler in transaction mode with DATABASE_LISTEN_URL delays nothing', async () => {
    const connection = await openThrough(pooler, { listenUrl: database.url });
    const heard = listen(connection);
    await vi.waitFor(async () => {
      await database.connection.announcements.announceWork(database.connection.query, 'hello');
      expect(heard).toContain('hello');
    }, patience);
    expect(warnings.join()).not.toContain('LISTEN');
    // Long sessions go past the pooler, too.
    await using session = await connection.openLongSession();
    const { rows } = await sql`show statement_timeout`.execute(session.query);
    expect(rows).toEqual([{ statement_timeout: '0' }]);
  });

  it('DATABASE_LISTEN_URL of another database is found out', async () => {
    const other = opened.use(await createTestDatabase<Tables>());
    const connection = await openThrough(pooler, { listenUrl: other.url });
    listen(connection);
    const words = 'does not get the notifications of DATABASE_URL';
    await vi.waitFor(() => expect(warnings.join()).toContain(words), patience);
  });

  // DB-9
  it('sessions of a pooler in transaction mode keep the settings that they had', async () => {
    const connection = await openThrough(pooler);
    await migrate(connection, await emptyMigration());
    await useMuch(connection);
    await using session = await connection.openLongSession();
    await inTransaction(session.query, async (db) => {
      const { rows } = await sql`show statement_timeout`.execute(db);
      expect(rows).toEqual([{ statement_timeout: '0' }]);
    });
    const others = new pg.Client(pooler.urlOf(name));
    await others.connect();
    opened.defer(() => others.end());
    // Each of its sessions, in one transaction at a time.
    for (let n = 0; n < 12; n += 1) {
      const { rows } = await others.query(
        `select current_setting('statement_timeout') as limit, current_setting('jit') as jit,
          current_setting('idle_in_transaction_session_timeout') as idle`,
      );
      expect(rows).toEqual([{ limit: '0', jit: 'off', idle: '0' }]);
    }
  });

  it('a snapshot behind a pooler in transaction mode is of one moment', async () => {
    const connection = await openThrough(pooler);
    await database.connection.pool.query('create table counted (n int)');
    const count = sql<{ n: number }>`select count(*)::int as n from counted`;
    await using snapshot = await connection.openSnapshot(['counted']);
    await database.connection.pool.query('insert into counted values (1)');
    await useMuch(connection);
    expect((await count.execute(snapshot.query)).rows).toEqual([{ n: 0 }]);
    expect((await count.execute(connection.query)).rows).toEqual([{ n: 1 }]);
  });

  it('a pooler in transaction mode reads times and dates right, whatever the database says', async () => {
    await alter(`set timezone = 'America/New_York'`, `set datestyle = 'German'`);
    const connection = await openThrough(pooler);
    for (let n = 0; n < 12; n += 1) {
      const { rows } = await connection.pool.query(
        `select timestamptz '2026-02-01 00:00Z' as time, '2026-02-03'::date as day,
          (timestamptz '2026-02-01 00:00Z')::date as day_of_time`,
      );
      expect(rows).toEqual([
        { time: new Date('2026-02-01'), day: '2026-02-03', day_of_time: '2026-02-01' },
      ]);
    }
  });

  it('a pooler in transaction mode is recognized if it takes its sessions in turns', async () => {
    const inTurns = opened.use(
      await PgBouncer.start(testDatabaseUrl, 'transaction', ['server_round_robin = 1']),
    );
    // So there are more sessions than the two that are asked.
    const clients = Array.from({ length: 5 }, () => new pg.Client(inTurns.urlOf(name)));
    await Promise.all(clients.map((client) => client.connect()));
    await Promise.all(clients.map((client) => client.query('select pg_sleep(0.05)')));
    await Promise.all(clients.map((client) => client.end()));
    const connection = await openThrough(inTurns);
    await connection.refuseUnsuitable();
    await useMuch(connection);
    expect(warnings.join()).toContain('ALTER ROLE postgres SET statement_timeout');
  });

  // DB-10
  it('a pooler in transaction mode is refused if its sessions would spoil values, with the command', async () => {
    await alter(`set bytea_output = 'escape'`);
    const connection = await openThrough(pooler);
    await expect(connection.refuseUnsuitable()).rejects.toThrow(
      'ALTER ROLE postgres SET bytea_output = hex;',
    );
  });

  /** Sessions that the pooler opens from now on have the settings. */
  async function alter(...changes: readonly string[]): Promise<void> {
    for (const change of changes) {
      await database.connection.pool.query(`alter database ${name} ${change}`);
    }
  }

  async function emptyMigration(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-migrate-'));
    opened.defer(() => rm(folder, { recursive: true }));
    await database.connection.pool.query('drop table schema_migrations');
    await writeFile(join(folder, '0001-first.sql'), 'create table firsts (id int);');
    return folder;
  }

  // DB-9
  it('background work runs behind a pooler in transaction mode', async () => {
    const connection = await openThrough(pooler);
    await using app = await createTestContext({}, { database: connection });
    await using _worker = await startWorker(app);
    await database.connection.pool.query('delete from pgboss.job');
    await connection.announcements.announceWork(connection.query, 'send-emails');
    await vi.waitFor(async () => {
      const { rows } = await database.connection.pool.query(
        `select state from pgboss.job where name = 'send-emails'`,
      );
      expect(rows).toContainEqual({ state: 'completed' });
    }, patience);
  });

  // DB-6
  it.runIf(hasPostgresPrograms)(
    'a pooler whose server is gone keeps no cache from being served, if DATABASE_LISTEN_URL shows that',
    async () => {
      const server = opened.use(await PostgresServer.create());
      const url = server.urlOf('postgres');
      const before = opened.use(await PgBouncer.start(url, 'transaction'));
      const options = { kind: 'server', url: before.urlOf('postgres'), poolSize: 2, log } as const;
      const withoutIt = opened.use(await openDatabase(options));
      await migrate(withoutIt, migrationsFolder);
      const connection = opened.use(await openDatabase({ ...options, listenUrl: url }));
      const past = connection.announcements.freshness;
      const through = withoutIt.announcements.freshness;
      for (const freshness of [past, through]) {
        await freshness.confirm();
        opened.defer(freshness.keepAsking());
      }
      warnings = [];
      await server.kill();
      const problem = 'cached data cannot be confirmed';
      await vi.waitUntil(() => warnings.filter((text) => text === problem).length === 2, patience);
      await vi.waitUntil(() => through.isConfirmed() === false, patience);
      expect(past.isConfirmed()).toBe(true);
    },
  );
});
