import type pg from 'pg';
import type { DatabaseServer } from '../../../lib/database-url.ts';
import type { DatabaseLog } from '../database-log.ts';
import {
  type BackendStates,
  endLeftTransactions,
  selectBackendStates,
} from './backend-states.sql.ts';
import { LeftTransactions } from './left-transactions.ts';
import { UnpooledClient } from './unpooled-client.ts';
import { NoResponseError, withinTime } from './within-time.ts';

/** A pooled connection, as far as its liveness is concerned. */
export interface WatchedConnection {
  /** By performance.now(): since when a response is pending; undefined: none is. */
  readonly waitingSinceMs: number | undefined;
  /** The server process of the connection; undefined: not known yet. */
  readonly backendPid: number | undefined;
  readonly bytesRead: number;
  /** Undefined: there is one server. */
  readonly server?: DatabaseServer | undefined;
  /** Closes immediately without notifying the server; pending queries fail. */
  destroy(): void;
}

type ReadStates = (
  pids: readonly number[],
  server: DatabaseServer | undefined,
) => Promise<BackendStates>;

interface Events {
  /** A connection was closed because it is dead. */
  onDead(connection: WatchedConnection): void;
  /**
   * Whether a server is silent: a new connection gets no response, and nothing arrives on others. Called
   * again after each look, until it is over.
   */
  onSilence(server: DatabaseServer | undefined, isSilent: boolean): void;
}

interface Waiting {
  readonly connection: WatchedConnection;
  readonly moment: string;
}

const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Detects connections that died silently, so that nobody waits for the statement timeout. If a
 * statement takes more than a second, a new connection asks the server: a server process that is
 * idle twice has never received the statement, or its response was lost. If the new connection gets
 * no response either, the server is unavailable. A server that sends nothing at all is asked until it
 * responds, so that others need not wait to learn it.
 */
export class DeadConnections implements Disposable {
  readonly #connections: Iterable<WatchedConnection>;
  readonly #readStates: ReadStates;
  readonly #events: Events;
  readonly #timer: NodeJS.Timeout;
  readonly #silent = new Set<DatabaseServer | undefined>();
  #suspects = new Map<WatchedConnection, string>();
  #isLooking = false;

  constructor(connections: Iterable<WatchedConnection>, readStates: ReadStates, events: Events) {
    this.#connections = connections;
    this.#readStates = readStates;
    this.#events = events;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    const before = this.#suspects;
    this.#suspects = new Map();
    const waiting = [...this.#connections].filter(waitsLong).map((connection) => ({
      connection,
      moment: momentOf(connection),
    }));
    const groups = Map.groupBy(waiting, ({ connection }) => connection.server);
    const servers = new Set([...groups.keys(), ...this.#silent]);
    if (servers.size === 0) return;
    this.#isLooking = true;
    const looks = [...servers].map((server) =>
      this.#endDead(server, groups.get(server) ?? [], before),
    );
    await Promise.all(looks);
    this.#isLooking = false;
  }

  /** All of these connections lead to that server. */
  async #endDead(
    server: DatabaseServer | undefined,
    waiting: readonly Waiting[],
    before: ReadonlyMap<WatchedConnection, string>,
  ) {
    const arrived = this.#countBytes(server);
    const isAtWork = await this.#askServer(
      server,
      waiting.map(({ connection }) => connection),
    );
    const hasArrived = [...this.#countBytes(server)].some(
      ([connection, bytes]) => bytes > (arrived.get(connection) ?? 0),
    );
    this.#noteSilence(server, isAtWork === 'silence' && !hasArrived);
    for (const { connection, moment } of waiting) {
      // Bytes have arrived: the response, or its beginning.
      if (isAtWork === 'unknown' || momentOf(connection) !== moment) continue;
      if (isAtWork !== 'silence') {
        if (isAtWork(connection)) continue;
        this.#suspects.set(connection, moment);
        if (before.get(connection) !== moment) continue;
      }
      connection.destroy();
      this.#events.onDead(connection);
    }
  }

  #noteSilence(server: DatabaseServer | undefined, isSilent: boolean): void {
    const wasSilent = this.#silent.has(server);
    if (isSilent) this.#silent.add(server);
    else this.#silent.delete(server);
    if (isSilent || wasSilent) this.#events.onSilence(server, isSilent);
  }

  /** What has arrived on each connection to a server. */
  #countBytes(server: DatabaseServer | undefined): ReadonlyMap<WatchedConnection, number> {
    const ofServer = [...this.#connections].filter((connection) => connection.server === server);
    return new Map(ofServer.map((connection) => [connection, connection.bytesRead]));
  }

  async #askServer(
    server: DatabaseServer | undefined,
    connections: readonly WatchedConnection[],
  ): Promise<((connection: WatchedConnection) => boolean) | 'silence' | 'unknown'> {
    const pids = connections.flatMap(({ backendPid }) => backendPid ?? []);
    try {
      const states = await this.#readStates(pids, server);
      return ({ backendPid }) => backendPid === undefined || isAtWork(states, backendPid);
    } catch (error) {
      // A refusal is a response: the server or its machine is up.
      return error instanceof NoResponseError ? 'silence' : 'unknown';
    }
  }
}

/** What `watchPool` finds about servers. */
interface ServerEvents extends Pick<Events, 'onSilence'> {
  /** A connection to it was dead. */
  onDead(server: DatabaseServer | undefined): void;
}

/** Watches a pool's connections. `configOf`: of further connections to a server. */
export function watchPool(
  pool: pg.Pool,
  configOf: (server: DatabaseServer) => pg.ClientConfig,
  log: DatabaseLog,
  { onDead, onSilence }: ServerEvents,
): Disposable {
  const connections = new Set<WatchedConnection>();
  // Created by ServerPool.
  const watched = (client: pg.PoolClient) => client as unknown as WatchedConnection;
  pool.on('connect', (client) => connections.add(watched(client)));
  pool.on('remove', (client) => connections.delete(watched(client)));
  const ask = async <T>(server: DatabaseServer, question: (client: pg.Client) => Promise<T>) => {
    await using line = new UnpooledClient(configOf(server));
    await line.connect();
    return await withinTime(question(line.client), ANSWER_TIMEOUT_MS);
  };
  const readStates: ReadStates = async (pids, server) =>
    server === undefined
      ? new Map()
      : await ask(server, (client) => selectBackendStates(client, pids));
  const resources = new DisposableStack();
  const left = resources.use(
    new LeftTransactions(async (pids, server, lostSecondsAgo) => {
      if (server === undefined) return;
      await ask(server, (client) => endLeftTransactions(client, pids, lostSecondsAgo));
    }),
  );
  resources.use(
    new DeadConnections(connections, readStates, {
      onDead({ backendPid: pid, server }) {
        log.warn({ pid }, 'closed a dead database connection');
        if (pid !== undefined) left.note(pid, server);
        onDead(server);
      },
      onSilence,
    }),
  );
  return resources;
}

function waitsLong({ waitingSinceMs }: WatchedConnection): boolean {
  return waitingSinceMs !== undefined && performance.now() - waitingSinceMs >= PATIENCE_MS;
}

/** Changes with every byte that arrives. */
function momentOf({ waitingSinceMs, bytesRead }: WatchedConnection): string {
  return `${waitingSinceMs} ${bytesRead}`;
}

function isAtWork(states: BackendStates, pid: number): boolean {
  const state = states.get(pid);
  // null: the server does not report it.
  return state === null || (state !== undefined && !state.startsWith('idle'));
}
