import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseProxy } from '../../../../test/database-proxy.ts';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { type DatabaseConnection, openDatabase } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { inTransaction } from '../transaction.ts';
import { isDatabaseAway } from './database-away.ts';
import { refuseUnsuitableDatabase } from './refuse-unsuitable-database.ts';

// Long enough for every response that does come, on a busy machine.
const ANSWER_TIMEOUT_MS = 1_500;
const log: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'a server whose connections break',
  () => {
    let database: TestDatabase<unknown>;
    let line: DatabaseProxy;
    let connection: DatabaseConnection<unknown>;
    beforeAll(async () => {
      database = await createTestDatabase();
      const by = await DatabaseProxy.open(database.url!);
      line = by.proxy;
      const url = new URL(by.url);
      // Parameters in the URL take precedence over the settings of pg.
      url.searchParams.set('query_timeout', String(ANSWER_TIMEOUT_MS));
      connection = await openDatabase({ kind: 'server', url: url.href, poolSize: 1, log });
    });
    afterAll(async () => {
      await line[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      line.cut();
      // A cut idle connection may be noticed only at its next use.
      await connection.ping().catch(() => connection.ping());
    });

    test('an idle connection that breaks is replaced without an error', async () => {
      const lost = once(connection.pool, 'error');
      line.cut();
      await lost;
      await connection.ping();
    });

    test('a connection that breaks in a transaction fails only that transaction', async () => {
      const work = inTransaction(connection.query, async () => {
        line.cut();
        await new Promise((resolve) => setImmediate(resolve));
      });
      await expect(work).rejects.toThrow();
      await connection.ping();
    });

    test('a query without a response fails, and its connection is not used again', async () => {
      line.fallSilent();
      await expect(connection.pool.query('select 1')).rejects.toThrow('timeout');
      line.cut();
      await connection.ping();
    });

    test('a transaction fails the same way', async () => {
      const work = inTransaction(connection.query, async (transaction) => {
        line.fallSilent();
        await transaction.selectFrom('users' as never).execute();
      });
      await expect(work).rejects.toThrow('timeout');
      line.cut();
      await connection.ping();
      expect(connection.pool.totalCount).toBe(1);
    });
  },
);

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'a connection that dies silently',
  () => {
    let database: TestDatabase<unknown>;
    let line: DatabaseProxy;
    let connection: DatabaseConnection<unknown>;
    beforeEach(async () => {
      database = await createTestDatabase();
      const by = await DatabaseProxy.open(database.url!);
      line = by.proxy;
      connection = await openDatabase({ kind: 'server', url: by.url, poolSize: 2, log });
      await Promise.all([connection.ping(), connection.pool.query('select pg_sleep(0)')]);
    });
    afterEach(async () => {
      await line[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    // Without this detection, they would end after 35 s, with another message.
    test('a query fails before its limit, and the next finds a new connection', async () => {
      line.fallSilent();
      await expect(connection.pool.query('select 1')).rejects.toThrow('Connection terminated');
      await connection.ping();
      expect((await connection.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });

    test('a transaction fails the same way', async () => {
      const work = inTransaction(connection.query, async (transaction) => {
        line.fallSilent();
        await transaction.selectFrom('users' as never).execute();
      });
      await expect(work).rejects.toThrow('Connection terminated');
      await connection.ping();
    });

    test('all queries fail if new connections die silently too', async () => {
      line.swallow('all');
      const queries = ['select 1', 'select 2'].map((sql) => connection.pool.query(sql));
      const ends = await Promise.allSettled(queries);
      expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual([
        expect.stringContaining('Connection terminated'),
        expect.stringContaining('Connection terminated'),
      ]);
      line.restore();
      await expect.poll(() => connection.ping().then(() => true), patience).toBe(true);
    });

    // They would wait for the next connections, and for five seconds.
    test('queries that wait for a connection are refused once the server is known to be silent', async () => {
      line.swallow('all');
      const known = Promise.allSettled(
        ['select 1', 'select 2'].map((s) => connection.pool.query(s)),
      );
      await sleep(2_500);
      let ended = 0;
      const waiting = Array.from({ length: 20 }, (_, n) =>
        connection.pool.query(`select ${n}`).catch((error: unknown) => {
          ended += 1;
          return error;
        }),
      );
      await known;
      await sleep(0);
      expect(ended).toBe(20);
      for (const error of await Promise.all(waiting)) expect(error).toSatisfy(isDatabaseAway);
      line.restore();
      await expect.poll(() => connection.ping().then(() => true), patience).toBe(true);
    });

    // Each would wait five seconds for a new connection.
    test('once the server is known to be silent, further queries are refused at once', async () => {
      line.swallow('all');
      await expect(connection.pool.query('select 1')).rejects.toThrow();
      for (let n = 0; n < 100; n += 1) {
        await expect(connection.pool.query('select 1')).rejects.toSatisfy(isDatabaseAway);
      }
      await expect(connection.openLongSession()).rejects.toSatisfy(isDatabaseAway);
      line.restore();
      await expect.poll(() => connection.ping().then(() => true), patience).toBe(true);
    });
  },
);

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('an absent server', () => {
  test('a ping fails soon, and so does a query', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/postgres';
    await using connection = await openDatabase({ kind: 'server', url, poolSize: 1, log });
    await expect(connection.ping()).rejects.toThrow('ECONNREFUSED');
    await expect(connection.pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
  });

  test('a listener for changes reports the gap and keeps trying', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/postgres';
    await using connection = await openDatabase({ kind: 'server', url, poolSize: 1, log });
    const gap = Promise.withResolvers<void>();
    connection.announcements.subscribe({
      onChange: () => undefined,
      onGap: () => undefined,
      onWorkGap: gap.resolve,
    });
    await gap.promise;
  });
});

describe('a database that is not suitable', () => {
  const poolOf = (found: { encoding: string; version: string; number: number }) =>
    ({ query: async () => ({ rows: [found] }) }) as never;

  test('a database in another encoding than UTF-8 is refused, with the command that makes one', async () => {
    const refused = refuseUnsuitableDatabase(
      poolOf({ encoding: 'SQL_ASCII', version: '15.9', number: 150_009 }),
    );
    await expect(refused).rejects.toThrow(/SQL_ASCII.*createdb --encoding=UTF8/s);
  });

  test('a server that is too old is refused', async () => {
    const found = { encoding: 'UTF8', version: '14.19 (Debian)', number: 140_019 };
    await expect(refuseUnsuitableDatabase(poolOf(found))).rejects.toThrow(
      'PostgreSQL 14.19 (Debian). Podstead needs PostgreSQL 15 or newer',
    );
  });

  test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
    'a real database in another encoding is refused before it is migrated, and one in UTF-8 is not',
    async () => {
      await using suitable = await createTestDatabase();
      await suitable.connection.refuseUnsuitable();
      const name = `podstead_test_latin1_${process.pid}`;
      const { pool } = suitable.connection;
      await pool.query(
        `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
      );
      try {
        const url = new URL(suitable.url!);
        url.pathname = `/${name}`;
        await using latin = await openDatabase({
          ...{ kind: 'server', url: url.href, poolSize: 1, log },
        });
        await expect(latin.refuseUnsuitable()).rejects.toThrow('encoding LATIN1');
      } finally {
        await pool.query(`drop database ${name} with (force)`);
      }
    },
  );
});

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('parameters of the URL', () => {
  let database: TestDatabase<unknown>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  const read = async (set: (url: URL) => void) => {
    const url = new URL(database.url!);
    set(url);
    await using connection = await openDatabase({
      ...{ kind: 'server', url: url.href, poolSize: 1, log },
    });
    const sql = `select timestamptz '2026-02-01 00:00Z' as time, date '2026-02-01' as day,
      (timestamptz '2026-02-01 00:00Z')::date as day_of_time, '26-02-03'::date as read_day,
      interval '1 day 2 hours'::text as length, 0.1::float8 + 0.2 as sum, '\\x00ff'::bytea::text as bytes,
      '{null}'::text[] as list, 'ü' as letter, current_setting('transaction_isolation') as isolation`;
    return (await connection.pool.query(sql)).rows[0];
  };

  test('parameters of the URL do not change how values are read and written, or how transactions are isolated', async () => {
    const usual = await read(() => undefined);
    expect(usual).toMatchObject({ day: '2026-02-01', day_of_time: '2026-02-01', letter: 'ü' });
    const options = {
      ...{ timezone: 'America/New_York', datestyle: 'German', intervalstyle: 'iso_8601' },
      ...{ extra_float_digits: '-9', bytea_output: 'escape', array_nulls: 'off' },
      ...{ client_encoding: 'latin1', default_transaction_isolation: 'serializable' },
    };
    const flags = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`);
    expect(await read((url) => url.searchParams.set('options', flags.join(' ')))).toEqual(usual);
    const set = (url: URL) => {
      for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
      url.searchParams.set('options', '-c datestyle=SQL,MDY -c timezone=Asia/Tokyo');
    };
    expect(await read(set)).toEqual(usual);
  });

  test('parameters of the URL may set limits of time', async () => {
    const url = `${database.url}?statement_timeout=1234`;
    await using connection = await openDatabase({ kind: 'server', url, poolSize: 1, log });
    const { rows } = await connection.pool.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '1234ms' }]);
  });
});
