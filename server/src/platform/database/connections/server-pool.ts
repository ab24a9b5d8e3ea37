import pg from 'pg';
import type { DatabaseServer } from '../../../lib/database-url.ts';
import type { DatabaseLog } from '../database-log.ts';
import { clientConfig } from './client-config.ts';
import { askState, type DatabaseServers } from './database-servers.ts';
import { survivingLostConnections } from './pools.ts';
import { PreparedClient } from './prepared-client.ts';
import type { ServerSessions } from './server-sessions.ts';
import { type ServerState, stateColumns, UnsuitableServerError } from './server-state.ts';
import { sessionSettings } from './session-settings.ts';
import { withinTime } from './within-time.ts';

const IDLE_CONNECTION_MS = 60_000;
const PREPARE_TIMEOUT_MS = 5_000;
const MOST_FAILURES = 2;

type PooledClient = PreparedClient & pg.PoolClient;

/**
 * A pool whose connections lead to the server that `servers` finds. If there was reason to doubt since a
 * connection was last used, its server is asked first, and the connection is closed if it is no longer
 * suitable.
 */
export class ServerPool extends pg.Pool {
  readonly #servers: DatabaseServers;

  constructor(servers: DatabaseServers, poolSize: number, log: DatabaseLog) {
    super({
      ...clientConfig('', servers.connectTimeoutMs),
      max: poolSize,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      onConnect: (client: pg.ClientBase) => prepareConnection(client as PreparedClient, servers),
      Client: PreparedClient,
    } as pg.PoolConfig);
    this.#servers = servers;
    survivingLostConnections(this, log);
    this.on('connect', (client) => {
      (client as PooledClient).onServerChange = () => servers.doubt();
      client.on('error', () => servers.doubt());
    });
  }

  // pg-pool's own `query` passes a callback. `unknown` and `never`: compatible with all overloads.
  override connect(callback?: unknown): never {
    const taken = this.#take();
    if (typeof callback !== 'function') return taken as never;
    taken.then(
      (client) => callback(undefined, client, client.release),
      (error: unknown) => callback(error, undefined, () => undefined),
    );
    return undefined as never;
  }

  /** Closes idle connections, so that the next queries use new ones. */
  renewIdle(): void {
    for (let left = this.idleCount; left > 0; left -= 1) {
      super.connect().then(
        (client) => client.release(true),
        () => undefined,
      );
    }
  }

  async #take(): Promise<PooledClient> {
    for (let failures = 0; ; ) {
      const server = await this.#servers.find();
      // For the next connection that is opened, by whoever waits for one.
      Object.assign(this.options, { connectionString: server.url, server });
      try {
        const client = await this.#connectTo(server);
        if (await this.#isUsable(client)) return client;
        client.release(true);
      } catch (error) {
        if (isOfPool(error)) throw error;
        this.#servers.leave(server);
        failures += 1;
        if (failures === MOST_FAILURES || !this.#servers.areChosen) throw error;
      }
    }
  }

  /** Waits for a connection no longer than until the server is known to be silent. */
  async #connectTo(server: DatabaseServer): Promise<PooledClient> {
    if (this.idleCount > this.waitingCount) return (await super.connect()) as PooledClient;
    const connecting = super.connect() as Promise<PooledClient>;
    try {
      return await this.#servers.unlessSilent(server, connecting);
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error;
    }
  }

  /** Asks only after a doubt. */
  async #isUsable(client: PooledClient): Promise<boolean> {
    const { doubts } = this.#servers;
    if (client.checkedAtDoubt === doubts) return true;
    try {
      if (!this.#servers.keeps(await askState(client))) {
        this.#servers.forget(client.server);
        return false;
      }
    } catch {
      // Others may be dead, too, and each would take as long to find out.
      this.renewIdle();
      return false;
    }
    client.checkedAtDoubt = doubts;
    return true;
  }
}

/** Errors of the pool itself, which say nothing about the server. */
function isOfPool(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:timeout exceeded when trying|Cannot use a pool after)/.test(error.message)
  );
}

/** Begins a connection. `moreSettings`: further SET statements, where a session keeps them. */
export async function prepareConnection(
  client: PreparedClient,
  servers: DatabaseServers,
  moreSettings = '',
): Promise<ServerSessions> {
  const { server } = client;
  if (server === undefined) throw new Error('a connection without a server');
  const { doubts } = servers;
  const sessions = await servers.sessionsOf(server, client);
  client.preparesStatements = sessions.prepare;
  const settings = sessions.areKept
    ? `${sessionSettings(server.url)}${moreSettings}`
    : sessions.remembered;
  const query = client.query(`${settings} select pg_backend_pid() as pid, ${stateColumns}`);
  // One result for each statement.
  const results: unknown = await withinTime(query, PREPARE_TIMEOUT_MS);
  const last = [results].flat().at(-1) as pg.QueryResult<ServerState & { pid: number }>;
  const [row] = last.rows;
  if (row === undefined) throw new Error('the database returned no row of its state');
  if (!servers.accepts(row)) throw new UnsuitableServerError(row);
  // A pooler in between would report a pid of its own, and in transaction mode another one each time.
  client.backendPid = sessions.areKept ? row.pid : undefined;
  client.checkedAtDoubt = doubts;
  return sessions;
}
