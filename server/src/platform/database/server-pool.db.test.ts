import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { type DatabaseConnection, openDatabase } from './database.ts';
import type { DatabaseLog } from './database-log.ts';
import { inTransaction } from './transaction.ts';

// Long enough for every answer that does come, on a busy machine.
const ANSWER_TIMEOUT_MS = 1_500;
const log: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A line to the server that can be cut, or fall silent as a lost network does. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #silent = false;

  constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port || 5432), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (bytes) => this.#silent || to.write(bytes));
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
      }
    });
  }

  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  fallSilent(): void {
    this.#silent = true;
  }

  /** Cuts what is connected; what connects from now on is carried again. */
  cut(): void {
    this.#silent = false;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'a server at the end of a line',
  () => {
    let database: TestDatabase<unknown>;
    let line: Line;
    let connection: DatabaseConnection<unknown>;
    beforeAll(async () => {
      database = await createTestDatabase();
      const url = new URL(database.url!);
      line = new Line(new URL(url));
      url.hostname = '127.0.0.1';
      url.port = String(await line.open());
      // The address has the last word on what pg is set to.
      url.searchParams.set('query_timeout', String(ANSWER_TIMEOUT_MS));
      connection = await openDatabase({ kind: 'server', url: url.href, poolSize: 1, log });
    });
    afterAll(async () => {
      line.close();
      await connection[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      line.cut();
      // An idle connection that was cut is noticed at its next use, if not before.
      await connection.ping().catch(() => connection.ping());
    });

    test('an idle connection that is cut is replaced and ends nothing', async () => {
      const lost = once(connection.pool, 'error');
      line.cut();
      await lost;
      await connection.ping();
    });

    test('a connection that is cut in a transaction fails that one alone', async () => {
      const work = inTransaction(connection.query, async () => {
        line.cut();
        await new Promise((resolve) => setImmediate(resolve));
      });
      await expect(work).rejects.toThrow();
      await connection.ping();
    });

    test('a query without an answer fails, and its connection is not used again', async () => {
      line.fallSilent();
      await expect(connection.pool.query('select 1')).rejects.toThrow('timeout');
      line.cut();
      await connection.ping();
    });

    test('so does a transaction', async () => {
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

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('a server that is away', () => {
  test('a ping fails soon, and so does a query', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/postgres';
    await using connection = await openDatabase({ kind: 'server', url, poolSize: 1, log });
    await expect(connection.ping()).rejects.toThrow('ECONNREFUSED');
    await expect(connection.pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
  });

  test('one who listens for changes is told of the gap and goes on trying', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/postgres';
    await using connection = await openDatabase({ kind: 'server', url, poolSize: 1, log });
    const gap = Promise.withResolvers<void>();
    connection.changes.subscribe({ onChange: () => undefined, onGap: gap.resolve });
    await gap.promise;
  });
});
