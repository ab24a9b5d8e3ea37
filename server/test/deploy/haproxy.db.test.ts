import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { DatabaseLog } from '../../src/platform/database/database-log.ts';
import { type DatabasePair, openHandledPair } from '../hosts/database-pair.ts';
import { hasHaproxy } from '../hosts/haproxy.ts';
import { type DatabaseMachine, startPatroniProxy } from '../hosts/patroni-proxy.ts';
import { hasPgBouncer } from '../hosts/pgbouncer.ts';
import type { PostgresAddress } from '../hosts/postgres-address.ts';
import { hasPostgresPrograms } from '../hosts/postgres-server.ts';
import { patience } from '../patience.ts';
import { isOnServer } from '../which-database.ts';

// deploy/haproxy.cfg, before servers of which something says which one is the primary, as Patroni does.

const canRun = isOnServer && hasHaproxy && hasPgBouncer && hasPostgresPrograms;
const log: DatabaseLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.runIf(canRun)('deploy/haproxy.cfg', () => {
  let opened: AsyncDisposableStack;
  let pair: DatabasePair;
  /** What Patroni says; undefined: no server is the primary. */
  let primary: PostgresAddress | undefined;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    pair = opened.use(await openHandledPair());
    await pair.primary.query('create database podstead');
    primary = pair.primary;
  });
  afterEach(() => opened.disposeAsync());

  async function createMachines(): Promise<readonly DatabaseMachine[]> {
    return await Promise.all(
      pair.servers.map(async (address, at) => {
        const patroni = createServer(({ url }, response) => {
          const isPrimary = url === '/primary' && primary === address;
          response.writeHead(isPrimary ? 200 : 503).end();
        }).listen(0, '127.0.0.1');
        opened.defer(() => void patroni.close().closeAllConnections());
        await once(patroni, 'listening');
        const { port: restPort } = patroni.address() as AddressInfo;
        return { name: `db${at + 1}`, address, restPort };
      }),
    );
  }

  // DB-4
  it.each(['direct', 'pooled'] as const)(
    'deploy/haproxy.cfg leads to the primary, also after a switchover (%s)',
    async (way) => {
      const proxy = opened.use(await startPatroniProxy(await createMachines(), way));
      const { DATABASE_URL: url = '', DATABASE_LISTEN_URL: listenUrl } = proxy.settings;
      expect(Object.keys(proxy.settings)).toHaveLength(way === 'direct' ? 1 : 2);
      const connection = opened.use(
        await openDatabase({ kind: 'server', url, listenUrl, poolSize: 3, log }),
      );
      const sql = `select current_setting('port')::int as port`;
      const portOf = async () => (await connection.pool.query<{ port: number }>(sql)).rows[0]?.port;
      const portPastPooler = async () => {
        await using session = await connection.openLongSession();
        const { rows } = await session.query.executeQuery<{ port: number }>(CompiledQuery.raw(sql));
        return rows[0]?.port;
      };
      expect([await portOf(), await portPastPooler()]).toEqual(Array(2).fill(pair.primary.port));
      primary = undefined;
      await pair.exchange('switchover');
      primary = pair.primary;
      await pair.restore();
      await vi.waitFor(async () => {
        expect([await portOf(), await portPastPooler()]).toEqual(Array(2).fill(pair.primary.port));
        await connection.pool.query('create table written ()');
      }, patience);
    },
  );

  it('deploy/haproxy.cfg closes open connections to a server that is no longer the primary', async () => {
    const proxy = opened.use(await startPatroniProxy(await createMachines(), 'pooled'));
    const clients = Object.values(proxy.settings).map((url) => new pg.Client(url));
    const ends = clients.map(
      (client) => new Promise<void>((resolve) => client.once('end', resolve)),
    );
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
    }
    // It still accepts writes.
    primary = undefined;
    await Promise.all(ends);
    await expect(new pg.Client(proxy.settings['DATABASE_URL']).connect()).rejects.toThrow();
  });
});
