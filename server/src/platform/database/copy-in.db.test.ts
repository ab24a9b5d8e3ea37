import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { BinaryRows } from './binary-rows.ts';
import { copyIn } from './copy-in.ts';
import type { DatabaseConnection } from './database.ts';
import { inSavepoint, inTransaction } from './transaction.ts';

let database: TestDatabase<object>;
let connection: DatabaseConnection<object>;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = database.connection;
  await connection.pool.query(`create table things (
    n bigint check (n <> 13), name text, id uuid, hash bytea, is_odd boolean, day date,
    at timestamptz, pieces int8multirange, size integer)`);
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await connection.pool.query('truncate things');
});

const copy = 'copy things from stdin (format binary)';
const id = '0199b1c2-0000-7000-8000-0123456789ab';

function writeThing(rows: BinaryRows, n: number | null, name: string | null = null): void {
  rows.begin(9);
  rows.int8(n);
  rows.text(name);
  rows.uuid(id);
  rows.hex('00ff10', 3);
  rows.boolean(n === 1);
  rows.date('2026-03-10');
  rows.timestamp(new Date('2026-03-10T12:34:56.789Z'));
  rows.multirange([
    { start: 20, end: 29 },
    { start: 0, end: 9 },
  ]);
  rows.int4(-7);
}

async function stored<T>(columns: string): Promise<T[]> {
  return (await connection.pool.query(`select ${columns} from things order by n`)).rows as T[];
}

describe('copyIn', () => {
  test('stores values of every type', async () => {
    const rows = new BinaryRows();
    writeThing(rows, 1, 'Grüße 🎧');
    await copyIn(connection.query, copy, rows.finish());
    expect(await stored('*')).toEqual([
      {
        ...{ n: 1, name: 'Grüße 🎧', id, hash: Buffer.from([0, 255, 16]), is_odd: true },
        ...{ day: '2026-03-10', at: new Date('2026-03-10T12:34:56.789Z') },
        pieces: '{[0,10),[20,30)}',
        size: -7,
      },
    ]);
  });

  test('stores any whole number, text and moment', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((drawn) => !drawn.includes('\0'));
    const moments = fc.date({
      min: new Date('0001-01-01T00:00Z'),
      max: new Date('9999-12-31T23:59Z'),
      noInvalidDate: true,
    });
    const drawn = fc.array(
      fc.tuple(fc.option(fc.maxSafeInteger().filter((n) => n !== 13)), fc.option(text), moments),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async (things) => {
        await connection.pool.query('truncate things');
        const rows = new BinaryRows();
        for (const [n, name, at] of things) {
          rows.begin(3);
          rows.int8(n);
          rows.text(name);
          rows.timestamp(at);
        }
        await copyIn(
          connection.query,
          copy.replace('things', 'things (n, name, at)'),
          rows.finish(),
        );
        const found = await stored<{ n: number | null; name: string | null; ms: number }>(
          'n, name, (extract(epoch from at) * 1000)::bigint as ms',
        );
        const inOrder = found.map(({ n, name, ms }) => [n, name, ms]);
        expect(new Set(inOrder.map(String))).toEqual(
          new Set(things.map(([n, name, at]) => `${n ?? ''},${name ?? ''},${at.getTime()}`)),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('stores many rows', async () => {
    const rows = new BinaryRows();
    for (let n = 100; n < 20_100; n += 1) writeThing(rows, n, 'x'.repeat(n % 50));
    await copyIn(connection.query, copy, rows.finish());
    expect(await stored('count(*) over ()::int as count, n').then(([row]) => row)).toEqual({
      count: 20_000,
      n: 100,
    });
  });

  test('stores nothing if it fails, and the connection still works', async () => {
    await inTransaction(connection.query, async (transaction) => {
      for (const [n, name] of [
        [13, null],
        [2, '\0'],
      ] as const) {
        const rows = new BinaryRows();
        for (let before = 100; before < 2_000; before += 1) writeThing(rows, before);
        writeThing(rows, n, name);
        const failed = inSavepoint(transaction, () => copyIn(transaction, copy, rows.finish()));
        await expect(failed).rejects.toMatchObject({ severity: 'ERROR' });
      }
      const rows = new BinaryRows();
      writeThing(rows, 3);
      await copyIn(transaction, copy, rows.finish());
    });
    expect(await stored('n')).toEqual([{ n: 3 }]);
    await expect(
      copyIn(connection.query, copy.replace('things', 'nothing'), new BinaryRows().finish()),
    ).rejects.toMatchObject({ code: '42P01' });
    expect(await stored('n')).toEqual([{ n: 3 }]);
  });
});
