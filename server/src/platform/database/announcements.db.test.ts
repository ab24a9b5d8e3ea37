import { type Kysely, sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMemory } from '../../../test/data-image.ts';
import { DatabaseProxy } from '../../../test/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { newId } from '../../lib/uuid.ts';
import type { Announcements } from './announcements.ts';
import { ReadOnlyDatabaseError } from './connections/read-only.ts';
import { type DatabaseConnection, openDatabase } from './database.ts';
import { inTransaction } from './transaction.ts';

const [a, b, c] = [newId(), newId(), newId()];
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase<unknown>;
let connection: DatabaseConnection<unknown>;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = database.connection;
});
afterAll(() => database[Symbol.asyncDispose]());

/** Records what a subscription receives. */
function subscribe(changes: Announcements<unknown>, options?: { isWaiting: boolean }) {
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const note = (what: string) => {
    seen.push(what);
    for (const resolve of waiting.splice(0)) resolve();
  };
  const unsubscribe = changes.subscribe(
    {
      onChange: (podcastId) => note(podcastId),
      onWork: (job) => note(`work ${job}`),
      onGap: () => note('gap'),
      onWorkGap: () => note('work gap'),
    },
    options,
  );
  const until = async (length: number) => {
    while (seen.length < length) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { seen, until, unsubscribe };
}

/** The same, after the listening connection is ready. The embedded database has none. */
async function subscribeSettled(changes: Announcements<unknown>) {
  const subscription = subscribe(changes);
  if (database.url !== undefined) {
    await subscription.until(1);
    subscription.seen.length = 0;
  }
  return subscription;
}

describe('an announcement in this process', () => {
  test('an announcement in this process is delivered after the commit, before inTransaction returns', async () => {
    await using own = await openAnother();
    const { seen } = await subscribeSettled(own.announcements);
    await inTransaction(own.query, async (transaction) => {
      await own.announcements.announce(transaction, a);
      await inTransaction(transaction, (inner) => own.announcements.announce(inner, b));
      await own.announcements.announce(transaction, a);
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual([a, b]);
  });

  test('an announcement of work is delivered in this process the same way', async () => {
    await using own = await openAnother();
    const { seen } = await subscribeSettled(own.announcements);
    await inTransaction(own.query, async (transaction) => {
      await own.announcements.announceWork(transaction, 'send-emails');
      await own.announcements.announceWork(transaction, 'send-emails');
      await own.announcements.announce(transaction, a);
      expect(seen).toEqual([]);
    });
    expect(seen).toEqual(['work send-emails', a]);
  });

  test('an announcement in this process is not delivered after a rollback', async () => {
    await using own = await openAnother();
    const { seen } = await subscribeSettled(own.announcements);
    const work = inTransaction(own.query, async (transaction) => {
      await own.announcements.announce(transaction, a);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await own.announcements.announce(own.query, b);
    expect(seen).toEqual([b]);
  });

  test('an announcement in this process is delivered to every listener until it unsubscribes, also if another throws', async () => {
    await using own = await openAnother();
    own.announcements.subscribe({
      onChange: () => {
        throw new Error('a broken listener');
      },
      onGap: () => undefined,
    });
    const [first, second] = [
      await subscribeSettled(own.announcements),
      subscribe(own.announcements),
    ];
    await own.announcements.announce(own.query, a);
    first.unsubscribe();
    await own.announcements.announce(own.query, b);
    expect(first.seen).toEqual([a]);
    expect(second.seen).toEqual([a, b]);
  });
});

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'an announcement to other processes',
  () => {
    test('an announcement to other processes is delivered once after the commit, and not after a rollback', async () => {
      await using other = await openAnother();
      const heard = await subscribeSettled(other.announcements);
      const announce = (id: string) => (db: Kysely<unknown> | Transaction<unknown>) =>
        connection.announcements.announce(db, id);
      await inTransaction(connection.query, async (transaction) => {
        await announce(a)(transaction);
        await announce(a)(transaction);
      });
      await inTransaction(connection.query, async (transaction) => {
        await announce(b)(transaction);
        throw new Error('no');
      }).catch(() => undefined);
      await connection.announcements.announceWork(connection.query, 'send-emails');
      await announce(c)(connection.query);
      await heard.until(3);
      expect(heard.seen).toEqual([a, 'work send-emails', c]);
    });

    test('an announcement to other processes is not delivered to its sender', async () => {
      await using other = await openAnother();
      const [own, others] = [
        await subscribeSettled(connection.announcements),
        await subscribeSettled(other.announcements),
      ];
      await connection.announcements.announce(connection.query, a);
      await others.until(1);
      // Notifications arrive in order: when this one arrives, any for `own` would have arrived.
      await other.announcements.announce(other.query, b);
      await own.until(2);
      expect(own.seen).toEqual([a, b]);
      own.unsubscribe();
    });

    test('an announcement to other processes is preceded by a gap after the listening connection was cut', async () => {
      await using other = await openAnother();
      const heard = await subscribeSettled(other.announcements);
      const { rows: cut } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %'
    `.execute(connection.query);
      expect(cut.length).toBeGreaterThan(0);
      await heard.until(2);
      expect(heard.seen).toEqual(['work gap', 'work gap']);
      await connection.announcements.announce(connection.query, a);
      await heard.until(3);
      expect(heard.seen.at(-1)).toBe(a);
    });

    test('an announcement to other processes reaches waiting listeners although its notification is lost', async () => {
      const by = await DatabaseProxy.open(database.url!);
      await using _proxy = by.proxy;
      await using other = await openOn(by.url);
      const heard = subscribe(other.announcements, { isWaiting: true });
      // One each from the listening connection and from the one that asks, and the gap of the latter.
      await heard.until(3);
      heard.seen.length = 0;
      by.proxy.fallSilent('listening');
      await connection.announcements.announce(connection.query, a);
      await connection.announcements.announceWork(connection.query, 'send-emails');
      await heard.until(2);
      // Before the silence is noticed, which would be another gap.
      expect(heard.seen).toEqual([a, 'work send-emails']);
      heard.unsubscribe();
    });

    test('an announcement to other processes is heard after a switchover from a server that accepts no writes', async () => {
      await using own = await createTestDatabase<unknown>();
      const name = new URL(own.url!).pathname.slice(1);
      const setting = `alter database ${name} set default_transaction_read_only`;
      await own.connection.pool.query(`${setting} = on`);
      await using other = await openOn(own.url!);
      await expect(other.ping()).rejects.toBeInstanceOf(ReadOnlyDatabaseError);
      const heard = subscribe(other.announcements, { isWaiting: true });
      // The listening connection is refused; reading works.
      await heard.until(3);
      await expect(other.announcements.announce(other.query, b)).rejects.toMatchObject({
        code: '25006',
      });
      await own.connection.pool.query(`${setting} = off`);
      await expect.poll(() => other.ping().then(() => 'pong', String)).toBe('pong');
      await own.connection.announcements.announce(own.connection.query, a);
      await expect.poll(() => heard.seen).toContain(a);
    });

    test('an announcement to other processes needs no connection in a process without listeners', async () => {
      const url = new URL(database.url!);
      url.searchParams.set('application_name', 'does-not-listen');
      await using other = await openDatabase({
        kind: 'server',
        url: url.href,
        poolSize: 1,
        log: silent,
      });
      await other.announcements.announce(other.query, a);
      const { rows } = await connection.pool.query(
        'select query from pg_stat_activity where application_name = $1',
        ['does-not-listen'],
      );
      expect(rows).toEqual([{ query: expect.stringContaining('pg_notify') }]);
    });
  },
);

/** Another connection to the same server. The embedded database allows one: opens a second one. */
async function openAnother(): Promise<DatabaseConnection<unknown>> {
  const { url } = database;
  return url === undefined ? await openMemory(silent) : await openOn(url);
}

function openOn(url: string): Promise<DatabaseConnection<unknown>> {
  return openDatabase({ kind: 'server', url, poolSize: 2, log: silent });
}
