import { once } from 'node:events';
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { TransactionAbortedError } from './connections/prepared-client.ts';
import type { DatabaseConnection } from './database.ts';
import { isForeignKeyViolation, isUniqueViolation } from './sql-errors.ts';
import { afterTransaction, inSavepoint, inTransaction } from './transaction.ts';
import { QueryPastTransactionError } from './transaction-guard.ts';

interface Tables {
  things: { id: number; parent_id: number | null };
}

let database: TestDatabase<Tables>;
let connection: DatabaseConnection<Tables>;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = database.connection;
  await connection.pool.query(
    `create table things (
      id int primary key check (id > 0),
      parent_id int constraint things_parent references things deferrable
    )`,
  );
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await connection.pool.query('truncate things');
});

function insert(transaction: Transaction<Tables>, id: number, parentId: number | null = null) {
  return transaction.insertInto('things').values({ id, parent_id: parentId }).execute();
}

async function storedIds(): Promise<number[]> {
  const rows = await connection.query.selectFrom('things').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Records how a transaction ended. */
function notes() {
  const seen: string[] = [];
  const noting = (name: string) => ({
    onCommit: () => void seen.push(`${name} committed`),
    onUnknown: () => void seen.push(`${name} unknown`),
  });
  return { seen, noting };
}

describe('inTransaction', () => {
  test('commits all of the work and returns its result', async () => {
    const result = await inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      await insert(transaction, 2);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await storedIds()).toEqual([1, 2]);
  });

  test('rolls back all of the work if a part throws, and throws the same error', async () => {
    const failure = new Error('no');
    const work = inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await storedIds()).toEqual([]);
  });

  test('joins an outer transaction', async () => {
    const failure = new Error('no');
    const work = inTransaction(connection.query, async (outer) => {
      await inTransaction(outer, async (inner) => {
        expect(inner).toBe(outer);
        await insert(inner, 1);
      });
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await storedIds()).toEqual([]);
  });

  test('throws if the work has ignored an SQL error', async () => {
    const work = inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      await insert(transaction, 1).catch(() => undefined);
    });
    await expect(work).rejects.toThrow(TransactionAbortedError);
    expect(await storedIds()).toEqual([]);
  });

  test('throws the error that failed it, also if another query is awaited first', async () => {
    const work = inTransaction(connection.query, async (transaction) => {
      const failing = insert(transaction, 0);
      failing.catch(() => undefined);
      await insert(transaction, 1);
    });
    await expect(work).rejects.toMatchObject({ code: '23514' });
  });

  test('throws if a deferred constraint fails at the commit', async () => {
    const work = inTransaction(connection.query, async (transaction) => {
      await sql`set constraints all deferred`.execute(transaction);
      await insert(transaction, 1, 7);
    });
    await expect(work).rejects.toSatisfy((error) => isForeignKeyViolation(error, 'things_parent'));
    expect(await storedIds()).toEqual([]);
  });

  test.each(['40001', '40P01'])('repeats work that failed with %s', async (code) => {
    let attempts = 0;
    await inTransaction(connection.query, async (transaction) => {
      attempts += 1;
      await insert(transaction, attempts);
      if (attempts < 3) await raise(transaction, code);
    });
    expect(attempts).toBe(3);
    expect(await storedIds()).toEqual([3]);
  });

  test.each([
    ['40001', 3],
    ['23505', 1],
  ])('tries work that always fails with %s %i times', async (code, expected) => {
    let attempts = 0;
    const work = inTransaction(connection.query, async (transaction) => {
      attempts += 1;
      await raise(transaction, code);
    });
    await expect(work).rejects.toMatchObject({ code });
    expect(attempts).toBe(expected);
  });

  test('repeats only the outermost transaction', async () => {
    const attempts = { outer: 0, inner: 0 };
    await inTransaction(connection.query, async (outer) => {
      attempts.outer += 1;
      await inTransaction(outer, async (inner) => {
        attempts.inner += 1;
        if (attempts.inner === 1) await raise(inner, '40001');
      });
    });
    expect(attempts).toEqual({ outer: 2, inner: 2 });
  });
});

describe('a query outside of the current transaction', () => {
  test('a query outside of the current transaction is refused on both databases before it can block', async () => {
    const work = inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      await storedIds();
    });
    await expect(work).rejects.toThrow(QueryPastTransactionError);
    expect(await storedIds()).toEqual([]);
  });

  test('a query outside of the current transaction is refused also as a transaction of its own, at any depth', async () => {
    const work = inTransaction(connection.query, (outer) =>
      inTransaction(outer, async () => {
        await inTransaction(connection.query, async () => undefined);
      }),
    );
    await expect(work).rejects.toThrow(QueryPastTransactionError);
  });

  test('a query outside of the current transaction is allowed after the transaction or beside it', async () => {
    const gate = Promise.withResolvers<void>();
    let later: Promise<number[]> | undefined;
    const inside = inTransaction(connection.query, async (transaction) => {
      later = gate.promise.then(storedIds);
      await insert(transaction, 1);
    });
    await Promise.all([inside, storedIds()]);
    gate.resolve();
    expect(await later).toEqual([1]);
  });

  test('a query outside of the current transaction is allowed in work that runs after the commit', async () => {
    let seen: Promise<number[]> | undefined;
    await inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      afterTransaction(transaction, 'a', {
        onCommit: () => {
          seen = storedIds();
        },
        onUnknown: () => undefined,
      });
    });
    expect(await seen).toEqual([1]);
  });

  test('a query outside of the current transaction is allowed in another database', async () => {
    await using other = await createTestDatabase<Tables>();
    await inTransaction(connection.query, async () => {
      await sql`select 1`.execute(other.connection.query);
      await inTransaction(other.connection.query, (inner) => sql`select 1`.execute(inner));
    });
  });
});

describe('inSavepoint', () => {
  test('undoes only the part that fails, also if it is nested', async () => {
    await inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      await inSavepoint(transaction, async () => {
        await insert(transaction, 2);
        const inner = inSavepoint(transaction, () => insert(transaction, 2));
        await expect(inner).rejects.toSatisfy((error) => isUniqueViolation(error));
        await insert(transaction, 3);
      });
      const failed = inSavepoint(transaction, async () => {
        await insert(transaction, 4);
        await insert(transaction, -1);
      });
      await expect(failed).rejects.toMatchObject({ code: '23514' });
      await insert(transaction, 5);
    });
    expect(await storedIds()).toEqual([1, 2, 3, 5]);
  });

  test('needs a transaction', async () => {
    const outside = inSavepoint(connection.query, () => Promise.resolve());
    await expect(outside).rejects.toThrow('a savepoint needs a transaction');
  });
});

describe('afterTransaction', () => {
  test('runs after the commit and before inTransaction returns, once for each key', async () => {
    const { seen, noting } = notes();
    await inTransaction(connection.query, async (outer) => {
      afterTransaction(outer, 'a', noting('a'));
      await inTransaction(outer, async (inner) => {
        afterTransaction(inner, 'a', noting('a again'));
        afterTransaction(inner, 'b', noting('b'));
      });
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(['a committed', 'b committed']);
  });

  test('afterTransaction does nothing after a rollback, and runs once if the work is repeated', async () => {
    const { seen, noting } = notes();
    let attempts = 0;
    await inTransaction(connection.query, async (transaction) => {
      attempts += 1;
      afterTransaction(transaction, `attempt ${attempts}`, noting(`attempt ${attempts}`));
      if (attempts === 1) await raise(transaction, '40001');
    });
    expect(seen).toEqual(['attempt 2 committed']);
  });

  test('afterTransaction does nothing if the commit failed', async () => {
    const { seen, noting } = notes();
    const work = inTransaction(connection.query, async (transaction) => {
      afterTransaction(transaction, 'a', noting('a'));
      await insert(transaction, 0).catch(() => undefined);
    });
    await expect(work).rejects.toThrow(TransactionAbortedError);
    expect(seen).toEqual([]);
  });

  test('runs at once outside of a transaction', () => {
    const { seen, noting } = notes();
    afterTransaction(connection.query, 'a', noting('a'));
    expect(seen).toEqual(['a committed']);
  });

  test('refuses a transaction that inTransaction has not started', async () => {
    const work = connection.query
      .transaction()
      .execute(async (transaction) => afterTransaction(transaction, 'a', notes().noting('a')));
    await expect(work).rejects.toThrow('inTransaction');
  });

  test('reports "unknown" if the connection broke at the commit', async () => {
    const { seen, noting } = notes();
    const acquired = once(connection.pool, 'acquire');
    const work = inTransaction(connection.query, async (transaction) => {
      await insert(transaction, 1);
      afterTransaction(transaction, 'a', noting('a'));
      const [client] = (await acquired) as [BreakableClient];
      breakAtNextWrite(client);
    });
    await expect(work).rejects.toThrow('line is dead');
    expect(seen).toEqual(['a unknown']);
    await connection.ping();
  });
});

describe('a violated constraint', () => {
  test('a violated constraint is named in the error that the query builder throws', async () => {
    await connection.query.insertInto('things').values({ id: 1, parent_id: null }).execute();
    const outcomes = await Promise.allSettled([
      connection.query.insertInto('things').values({ id: 1, parent_id: null }).execute(),
      connection.query.insertInto('things').values({ id: 2, parent_id: 9 }).execute(),
      connection.query.insertInto('things').values({ id: 0, parent_id: null }).execute(),
    ]);
    const [unique, foreign, check] = outcomes.map((o) => (o as PromiseRejectedResult).reason);
    expect(isUniqueViolation(unique, 'things_pkey')).toBe(true);
    expect(isForeignKeyViolation(foreign, 'things_parent')).toBe(true);
    expect(check).toMatchObject({ code: '23514', constraint: 'things_id_check' });
  });
});

async function raise(transaction: Transaction<Tables>, code: string): Promise<void> {
  await sql
    .raw(`do $$ begin raise exception 'lost' using errcode = '${code}'; end $$`)
    .execute(transaction);
}

/** Simulates a connection that breaks before the response arrives. */
function breakAtNextWrite({ connection: { stream } }: BreakableClient): void {
  const write = stream.write;
  stream.write = (...args) => {
    stream.write = write;
    stream.destroy(new Error('the line is dead'));
    return write.apply(stream, args);
  };
}

interface BreakableClient {
  readonly connection: {
    readonly stream: { write(...args: unknown[]): boolean; destroy(error: Error): void };
  };
}
