import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { longestTaskMs } from '../../../test/watch-event-loop.ts';
import type { DatabaseConnection } from './database.ts';
import { inTransaction } from './transaction.ts';

interface Tables {
  things: { id: number; name: string };
}

let database: TestDatabase<Tables>;
let connection: DatabaseConnection<Tables>;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = database.connection;
  await connection.pool.query('create table things (id int8 primary key, name text not null)');
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await connection.pool.query('truncate things');
});

describe('types', () => {
  test.each([
    [`'9007199254740991'::int8`, 9_007_199_254_740_991],
    ['null::int8', null],
    ['array[1, null, 2]::int8[]', [1, null, 2]],
    [
      'array[array[1, 2], array[3, 4]]::int8[]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [`'12.50'::numeric`, 12.5],
    ['array[1.5]::numeric[]', [1.5]],
    [`'2024-02-29'::date`, '2024-02-29'],
    [`array['2024-02-29']::date[]`, ['2024-02-29']],
    [`'2024-02-29T23:59:59.123Z'::timestamptz(3)`, new Date('2024-02-29T23:59:59.123Z')],
    [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    ['true', true],
    ['42::int4', 42],
    [`'1984'::text`, '1984'],
    [`'\\x00ff'::bytea`, Buffer.from([0, 255])],
  ])('%s', async (expression, expected) => {
    const { rows } = await connection.pool.query(`select ${expression} as value`);
    expect(rows).toEqual([{ value: expected }]);
  });

  test('an int8 beyond the safe integers is an error', async () => {
    await expect(connection.pool.query(`select '9007199254740993'::int8 as value`)).rejects.toThrow(
      RangeError,
    );
    await connection.ping();
  });

  test('dates are in UTC', async () => {
    const { rows } = await connection.pool.query(
      `select date_trunc('day', '2024-03-01T00:30:00+02'::timestamptz)::date as day,
              current_setting('timezone') as zone`,
    );
    expect(rows).toEqual([{ day: '2024-02-29', zone: 'UTC' }]);
  });

  test('other pools keep their own type parsers', async () => {
    const { default: pg } = await import('pg');
    expect(pg.types.getTypeParser(pg.types.builtins.INT8, 'text')('12')).toBe('12');
  });
});

describe('statements', () => {
  test('a text with parameters is prepared once per connection', async () => {
    const text = 'select name from things where id = $1';
    await inTransaction(connection.query, async (transaction) => {
      for (const id of [1, 2, 3]) {
        await transaction.selectFrom('things').select('name').where('id', '=', id).execute();
      }
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where name like 'ps!_%' escape '!'
      `.execute(transaction);
      const same = rows.filter(({ statement }) => statement.replaceAll('"', '') === text);
      expect(same).toHaveLength(1);
    });
  });

  test('prepared statements work after a change of the tables', async () => {
    const client = await connection.pool.connect();
    try {
      await client.query('create table shapes (id int)');
      await client.query('insert into shapes values (1)');
      const read = () => client.query('select * from shapes where id = $1', [1]);
      expect((await read()).rows).toEqual([{ id: 1 }]);
      await client.query('alter table shapes add column color text');
      expect((await read()).rows).toEqual([{ id: 1, color: null }]);
      await client.query('deallocate all');
      expect((await read()).rows).toEqual([{ id: 1, color: null }]);
    } finally {
      client.release();
    }
  });

  test('a transaction during a change of the tables is repeated', async () => {
    await connection.pool.query('create table forms (id int)');
    await connection.pool.query('insert into forms values (1)');
    let attempts = 0;
    const read = () =>
      inTransaction(connection.query, async (transaction) => {
        attempts += 1;
        return (await sql`select * from forms where id = ${1}`.execute(transaction)).rows;
      });
    await read();
    await connection.pool.query('alter table forms add column color text');
    attempts = 0;
    expect(await read()).toEqual([{ id: 1, color: null }]);
    expect(attempts).toBe(2);
  });
});

describe('the pool', () => {
  test('the pool works after errors, with and without parameters', async () => {
    for (let round = 0; round < 20; round += 1) {
      await expect(connection.pool.query('select * from nowhere')).rejects.toThrow('nowhere');
      await expect(connection.pool.query('select 1 / $1::int', [0])).rejects.toThrow('zero');
      await expect(sql`select 1 / ${0}::int`.execute(connection.query)).rejects.toThrow('zero');
    }
    await connection.ping();
  });

  test('returns the right rows to each of many concurrent queries', async () => {
    const numbers = Array.from({ length: 300 }, (_, i) => i);
    const responses = await Promise.all(
      numbers.map(async (number) => {
        const { rows } = await connection.pool.query('select $1::int as number', [number]);
        return rows[0].number;
      }),
    );
    expect(responses).toEqual(numbers);
  });

  test('transfers large parameters and large results', async () => {
    const text = 'é'.repeat(3_000_000);
    const { rows } = await connection.pool.query(
      `select $1::text as text from generate_series(1, 3)`,
      [text],
    );
    expect(rows.map((row) => row.text === text)).toEqual([true, true, true]);
  });

  test('the pool does not block the event loop during a long query', async () => {
    const query = 'select count(*) from generate_series(1, 1500000) as n where n % 7 = 3';
    expect(await longestTaskMs(() => connection.pool.query(query))).toBeLessThan(50);
  });

  test('gives a clean connection after a cancelled or failed transaction', async () => {
    const client = await connection.pool.connect();
    await client.query('begin');
    await client.query(`insert into things values (1, 'half')`);
    await client.query(`set search_path = 'nowhere'`);
    client.release(true);
    const { rows } = await connection.pool.query('select count(*) as count from things');
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('the pool runs or delays a query during a transaction without a deadlock', async () => {
    const inside = inTransaction(connection.query, async (transaction) => {
      for (let id = 1; id <= 20; id += 1) {
        await transaction.insertInto('things').values({ id, name: 'x' }).execute();
      }
    });
    const outside = Array.from({ length: 20 }, () =>
      connection.query.selectFrom('things').selectAll().execute(),
    );
    await inside;
    for (const rows of await Promise.all(outside)) expect([0, 20]).toContain(rows.length);
  });
});
