import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseProxy } from '../../../../test/database-proxy.ts';
import { freePort } from '../../../../test/free-port.ts';
import { Haproxy, hasHaproxy } from '../../../../test/hosts/haproxy.ts';
import { urlOfAll } from '../../../../test/hosts/postgres-address.ts';
import { hasPostgresPrograms, PostgresServer } from '../../../../test/hosts/postgres-server.ts';
import { patience } from '../../../../test/patience.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { deleteChangesBefore, selectChangesSince } from '../announcements/podcast-changes.sql.ts';
import { type DatabaseConnection, openDatabase } from '../database.ts';
import type { DatabaseLog } from '../database-log.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrationsFolder } from '../migrations/migration-files.ts';
import { inTransaction } from '../transaction.ts';
import { isDatabaseAway } from './database-away.ts';
import { UnpooledClient } from './unpooled-client.ts';
import { withinTime } from './within-time.ts';

// Two servers of their own, one of them a standby.

const log: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.runIf(isOnServer && hasPostgresPrograms)('several database servers', () => {
  const servers = new AsyncDisposableStack();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let opened: AsyncDisposableStack;

  beforeAll(async () => {
    primary = servers.use(await PostgresServer.create());
    await primary.query('create database podstead');
    standby = servers.use(await PostgresServer.createStandby(primary));
    await using connection = await openDatabase({
      ...{ kind: 'server', url: primary.urlOf('podstead'), poolSize: 1, log },
    });
    await migrate(connection, migrationsFolder);
  });
  afterAll(() => servers.disposeAsync());
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  const open = async (
    parameters = '',
    order: readonly PostgresServer[] = [standby, primary],
  ): Promise<DatabaseConnection<unknown>> =>
    opened.use(
      await openDatabase({
        ...{ kind: 'server', poolSize: 3, log },
        url: urlOfAll(order, 'podstead', parameters),
      }),
    );

  async function portOf(connection: DatabaseConnection<unknown>): Promise<number> {
    const sql = `select current_setting('port')::int as port`;
    return (await connection.pool.query<{ port: number }>(sql)).rows[0]?.port ?? 0;
  }

  /** A balancer with the URL of one server. Undefined: there is none here. */
  async function openBehindProxy() {
    if (!hasHaproxy) return undefined;
    const proxy = opened.use(await Haproxy.start([primary.port, standby.port]));
    const url = `postgres://postgres@127.0.0.1:${proxy.port}/podstead`;
    const connection = opened.use(await openDatabase({ kind: 'server', url, poolSize: 3, log }));
    opened.defer(connection.announcements.freshness.keepAsking());
    expect(await portOf(connection)).toBe(primary.port);
    return { proxy, connection };
  }

  // DB-2
  it.each([
    ['', 'primary'],
    ['?target_session_attrs=read-write', 'primary'],
    ['?target_session_attrs=primary', 'primary'],
    ['?target_session_attrs=read-only', 'standby'],
    ['?target_session_attrs=standby', 'standby'],
    ['?target_session_attrs=prefer-standby', 'standby'],
    ['?target_session_attrs=any', 'standby'],
    ['?target_session_attrs=primary&load_balance_hosts=random', 'primary'],
  ])('several servers: "%s" connects to the %s', async (parameters, expected) => {
    const connection = await open(parameters);
    expect(await portOf(connection)).toBe(expected === 'primary' ? primary.port : standby.port);
  });

  it('several servers: any of them means the first that responds', async () => {
    const connection = await open('?target_session_attrs=any', [primary, standby]);
    expect(await portOf(connection)).toBe(primary.port);
  });

  it('several servers: if there is no standby, the primary is preferred to none', async () => {
    const connection = await open('?target_session_attrs=prefer-standby', [primary, primary]);
    expect(await portOf(connection)).toBe(primary.port);
  });

  // DB-11
  it('several servers: while commits wait for a standby that is away, caches are confirmed', async () => {
    await standby.kill();
    opened.defer(() => standby.start());
    // From a dump; the first statement of whoever reads changes deletes it.
    await primary.query(
      `set synchronous_commit to off;
      insert into podcast_changes (xid, podcast_id) values ('9000000000', gen_random_uuid())`,
      'podstead',
    );
    const { announcements } = await open();
    await announcements.freshness.confirm();
    expect(announcements.freshness.isConfirmed()).toBe(true);
    expect(await primary.query('select from podcast_changes', 'podstead')).toEqual([]);
    const client = opened.use(new UnpooledClient({ connectionString: primary.urlOf('podstead') }));
    await client.connect();
    const { snapshot } = await selectChangesSince(client.client, undefined);
    await withinTime(deleteChangesBefore(client.client, snapshot), 2_000);
  });

  // DB-3
  it('several servers: one that never responds does not delay the next by more than a second', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    opened.defer(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const url = `postgres://postgres@127.0.0.1:${port},127.0.0.1:${primary.port}/podstead`;
    const connection = opened.use(await openDatabase({ kind: 'server', url, poolSize: 1, log }));
    const from = performance.now();
    await connection.ping();
    // An attempt that is not given company would take two seconds, and then the connection its own time.
    expect(performance.now() - from).toBeLessThan(3_000);
  });

  it('several servers: if none is suitable, the error says why of each and is temporary', async () => {
    const nowhere = await freePort();
    const url = `postgres://postgres@127.0.0.1:${nowhere},127.0.0.1:${standby.port}/podstead`;
    const connection = opened.use(await openDatabase({ kind: 'server', url, poolSize: 1, log }));
    const failure = await connection.pool.query('select 1').catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
    expect(String(failure)).toContain(`127.0.0.1:${nowhere}: connect ECONNREFUSED`);
    expect(String(failure)).toContain(`127.0.0.1:${standby.port}: it is a standby`);
  });

  it('several servers: what all of them refuse alike is the error itself', async () => {
    const connection = opened.use(
      await openDatabase({
        ...{ kind: 'server', poolSize: 1, log },
        url: urlOfAll([primary, standby], 'no_such_database'),
      }),
    );
    await expect(connection.pool.query('select 1')).rejects.toMatchObject({ code: '3D000' });
  });

  // DB-5. The last ones exchange the servers.
  it('several servers: after a switchover whose old primary stays open, every connection leaves it', async () => {
    const connection = await open();
    const other = await open();
    const behind = await openBehindProxy();
    // It listens to nothing and confirms no caches, so only its own errors tell it.
    const alone = await open();
    const heard: string[] = [];
    const listening = Promise.withResolvers<void>();
    connection.announcements.subscribe({
      onChange: () => undefined,
      onGap: () => undefined,
      onWork: (job) => void heard.push(job),
      onWorkGap: () => listening.resolve(),
    });
    await listening.promise;
    // Three connections at once, so that idle ones are left over.
    for (const { pool } of [connection, alone]) {
      await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.05)')));
      expect(pool.idleCount).toBe(3);
    }
    await primary.set('default_transaction_read_only', 'on');
    await standby.promote();
    await behind?.proxy.sendTo(primary.port, standby.port);

    await vi.waitFor(async () => {
      const failure = await primary.query('create table refused ()').catch((error) => error);
      expect(failure).toMatchObject({ code: '25006' });
    }, patience);
    const refused = alone.pool.query('create table refused ()');
    await expect(refused).rejects.toMatchObject({ code: '25006' });
    const portsOfAlone = await Promise.all([1, 2, 3].map(() => portOf(alone)));
    expect(portsOfAlone).toEqual([standby.port, standby.port, standby.port]);

    // A write to the old one fails with a temporary error, or it goes to the new one.
    const write = () =>
      inTransaction(connection.query, (db) => connection.announcements.announceWork(db, 'mine'));
    await vi.waitFor(async () => {
      const failure = await write().catch((error: unknown) => error);
      if (failure !== undefined) {
        expect(isDatabaseAway(failure)).toBe(true);
        throw failure as Error;
      }
    }, patience);
    const ports = await Promise.all([1, 2, 3].map(() => portOf(connection)));
    expect(ports).toEqual([standby.port, standby.port, standby.port]);
    // Nobody writes here: it learns without being told.
    for (const { connection: reading } of [{ connection: other }, ...(behind ? [behind] : [])]) {
      await vi.waitFor(async () => expect(await portOf(reading)).toBe(standby.port), patience);
    }
    await vi.waitFor(async () => {
      await other.announcements.announceWork(other.query, 'hello');
      expect(heard).toContain('hello');
    }, patience);
    await vi.waitFor(async () => {
      const rows = await primary.query(
        `select from pg_stat_activity where application_name = 'podstead'`,
      );
      expect(rows).toEqual([]);
    }, patience);
  });

  // DB-4
  it('several servers: if the machine of the primary vanishes, which closes no connection, the next is found', async () => {
    // The test before has exchanged them.
    await primary.follow(standby);
    const line = await DatabaseProxy.open(standby.urlOf('podstead'));
    const proxy = opened.use(line.proxy);
    const hosts = `127.0.0.1:${new URL(line.url).port},127.0.0.1:${primary.port}`;
    const connection = opened.use(
      await openDatabase({
        ...{ kind: 'server', poolSize: 3, log, url: `postgres://postgres@${hosts}/podstead` },
      }),
    );
    opened.defer(connection.announcements.freshness.keepAsking());
    await Promise.all([1, 2, 3].map(() => connection.pool.query('select pg_sleep(0.05)')));
    expect(await portOf(connection)).toBe(standby.port);
    proxy.swallow('all');
    await primary.promote();
    const promotedAtMs = performance.now();
    await vi.waitFor(async () => {
      await connection.announcements.announceWork(connection.query, 'hello');
      expect(await portOf(connection)).toBe(primary.port);
    }, patience);
    // Without leaving its server, each connection would wait for its own limit, one after the other.
    expect(performance.now() - promotedAtMs).toBeLessThan(15_000);
  });
});
