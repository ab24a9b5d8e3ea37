import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseServer, DatabaseUrl, SessionTarget } from '../../../lib/database-url.ts';
import type { DatabaseLog } from '../database-log.ts';
import { isSqlError } from '../sql-errors.ts';
import { clientConfig } from './client-config.ts';
import { detectSessions, directSessions, type ServerSessions } from './server-sessions.ts';
import {
  isSuitable,
  NoServerError,
  type ServerState,
  stateColumns,
  UnsuitableServerError,
} from './server-state.ts';
import { UnpooledClient } from './unpooled-client.ts';
import { NoResponseError, withinTime } from './within-time.ts';

const ATTEMPT_TIMEOUT_MS = 2_000;
// A server that takes longer gets company: the next one is tried beside it.
const NEXT_AFTER_MS = 500;
const MOST_ATTEMPTS = 2;

/**
 * The servers that a URL names. Every connection to them is opened to the server that `find` returns: the
 * first suitable one, tried in order as libpq does. It is kept until a connection to it fails or proves to
 * be of the wrong kind, so that usually nothing is tried. Of one server of any kind, nothing is checked.
 */
export class DatabaseServers {
  readonly target: SessionTarget;
  /** For each attempt; undefined: the default of whoever connects. */
  readonly connectTimeoutMs: number | undefined;
  readonly #servers: readonly DatabaseServer[];
  readonly #isShuffled: boolean;
  readonly #log: DatabaseLog;
  readonly #sessions = new Map<string, Promise<ServerSessions>>();
  #current: DatabaseServer | undefined;
  #search: Promise<DatabaseServer> | undefined;
  #silent: DatabaseServer | undefined;
  readonly #waiting = new Set<{ readonly server: DatabaseServer; refuse(): void }>();
  #doubts = 0;

  constructor(url: DatabaseUrl, log: DatabaseLog) {
    this.target = url.target;
    this.connectTimeoutMs = url.connectTimeoutMs;
    this.#servers = url.servers;
    this.#isShuffled = url.isShuffled;
    this.#log = log;
  }

  /** Whether servers are checked, so that another attempt may find another one. */
  get areChosen(): boolean {
    return this.#servers.length > 1 || this.target !== 'any';
  }

  /** Whether a read-only server is one of those to use. */
  get mayBeReadOnly(): boolean {
    return this.target !== 'read-write' && this.target !== 'primary';
  }

  /** How often there was reason to doubt open connections: those from before are checked again. */
  get doubts(): number {
    return this.#doubts;
  }

  /** Call it when a server stops, refuses writes or a connection breaks. */
  doubt(): void {
    this.#doubts += 1;
  }

  /** The same for one to which a new connection failed: the servers are tried again. */
  leave(server: DatabaseServer | undefined): void {
    this.#doubts += 1;
    this.forget(server);
  }

  /** The next connection is opened to whichever server is suitable then. */
  forget(server: DatabaseServer | undefined): void {
    if (this.#current === server) this.#current = undefined;
  }

  /**
   * While a server sends nothing, `find` refuses it at once: a request with several statements would
   * otherwise wait for each. Of several servers, `find` looks for another one instead.
   */
  noteSilence(server: DatabaseServer | undefined, isSilent: boolean): void {
    this.#silent = isSilent ? server : undefined;
    if (!isSilent) return;
    for (const waiting of this.#waiting) if (waiting.server === server) waiting.refuse();
  }

  /** The result of `work`, or NoResponseError once the server is known to be silent. */
  async unlessSilent<Result>(server: DatabaseServer, work: Promise<Result>): Promise<Result> {
    const silence = Promise.withResolvers<never>();
    const refuse = () => silence.reject(new NoResponseError(ATTEMPT_TIMEOUT_MS));
    const waiting = { server, refuse };
    this.#waiting.add(waiting);
    try {
      return await Promise.race([work, silence.promise]);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Whether a new connection to a server in this state may be used. */
  accepts(state: ServerState): boolean {
    return isSuitable(this.target, state);
  }

  /**
   * The same for a connection from before a doubt. Of any kind is also what has become read-only: a new
   * connection to the same address may lead to the primary.
   */
  keeps(state: ServerState): boolean {
    return this.target === 'any' ? !state.isReadOnly : this.accepts(state);
  }

  /** Rejects with NoServerError or NoResponseError. Concurrent calls share one search. */
  async find(): Promise<DatabaseServer> {
    const [only] = this.#servers;
    if (only !== undefined && !this.areChosen) {
      if (this.#silent === only) throw new NoResponseError(ATTEMPT_TIMEOUT_MS);
      return only;
    }
    if (this.#current !== undefined) return this.#current;
    this.#search ??= this.#searchServer().finally(() => {
      this.#search = undefined;
    });
    return await this.#search;
  }

  /** A connection outside the pool to a suitable server. Leaves nothing open if it rejects. */
  async open(): Promise<ServerLine> {
    for (let attempt = 1; ; attempt += 1) {
      const server = await this.find();
      try {
        return await this.#openTo(server);
      } catch (error) {
        this.leave(server);
        if (attempt === MOST_ATTEMPTS || !this.areChosen) throw error;
      }
    }
  }

  configOf(server: DatabaseServer): pg.ClientConfig {
    return clientConfig(server.url, this.connectTimeoutMs);
  }

  /** How the sessions of a server behave; asks once. `client`: any new connection to it. */
  async sessionsOf(server: DatabaseServer, client: pg.ClientBase): Promise<ServerSessions> {
    const known = this.#sessions.get(server.name);
    if (known !== undefined) return await known;
    if (await isDirect(client)) return this.#note(server, Promise.resolve(directSessions));
    // Another connection may have asked since.
    return await (this.#sessions.get(server.name) ?? this.#note(server, this.#detect(server)));
  }

  async #note(server: DatabaseServer, detection: Promise<ServerSessions>): Promise<ServerSessions> {
    this.#sessions.set(server.name, detection);
    try {
      return await detection;
    } catch (error) {
      this.#sessions.delete(server.name);
      throw error;
    }
  }

  async #detect(server: DatabaseServer): Promise<ServerSessions> {
    const sessions = await detectSessions(this.configOf(server));
    for (const advice of sessions.advice) this.#log.warn({ server: server.name }, advice);
    return sessions;
  }

  async #openTo(server: DatabaseServer): Promise<ServerLine> {
    const limitMs = this.connectTimeoutMs ?? (this.areChosen ? ATTEMPT_TIMEOUT_MS : undefined);
    const line = new ServerLine(this.configOf(server), server, limitMs);
    try {
      await line.connect();
      line.sessions = await this.sessionsOf(server, line.client);
      if (this.areChosen) await this.#check(line);
      return line;
    } catch (error) {
      line.destroy();
      throw error;
    }
  }

  async #searchServer(): Promise<DatabaseServer> {
    const found =
      this.target === 'prefer-standby'
        ? await this.#try('standby').catch(() => this.#try('any'))
        : await this.#try(this.target);
    this.#current = found;
    return found;
  }

  /** The first that responds and is suitable. The next one is tried when one has failed, or is slow. */
  async #try(target: SessionTarget): Promise<DatabaseServer> {
    const servers = this.#isShuffled ? shuffled(this.#servers) : this.#servers;
    let isOver = false;
    let earlier: Promise<unknown> = Promise.resolve();
    const attempts = servers.map((server) => {
      const attempt = earlier.then(async () => {
        if (isOver) throw new Error('not tried');
        await this.#probe(server, target);
        isOver = true;
        return server;
      });
      const ended = attempt.catch(() => undefined);
      earlier = earlier.then(() => Promise.race([ended, sleep(NEXT_AFTER_MS)]));
      return attempt;
    });
    try {
      return await Promise.any(attempts);
    } catch (error) {
      throw noServer(target, servers, (error as AggregateError).errors as Error[]);
    }
  }

  async #probe(server: DatabaseServer, target: SessionTarget): Promise<void> {
    const limitMs = this.connectTimeoutMs ?? ATTEMPT_TIMEOUT_MS;
    await using line = new UnpooledClient(this.configOf(server), limitMs);
    await line.connect();
    const state = await askState(line.client);
    if (!isSuitable(target, state)) throw new UnsuitableServerError(state);
  }

  async #check({ client }: ServerLine): Promise<void> {
    const state = await askState(client);
    if (!this.accepts(state)) throw new UnsuitableServerError(state);
  }
}

/** A connection outside the pool, and what is known of its server. */
export class ServerLine extends UnpooledClient {
  readonly server: DatabaseServer;
  sessions: ServerSessions = directSessions;

  constructor(config: pg.ClientConfig, server: DatabaseServer, timeoutMs: number | undefined) {
    super(config, timeoutMs);
    this.server = server;
  }
}

export async function askState(client: pg.ClientBase): Promise<ServerState> {
  const asked = client.query<ServerState>(`select ${stateColumns}`);
  const { rows } = await withinTime(asked, ATTEMPT_TIMEOUT_MS);
  const [state] = rows;
  if (state === undefined) throw new Error('the database returned no row of its state');
  return state;
}

/** PostgreSQL says its process id when a connection begins; poolers send a number of their own. */
async function isDirect(client: pg.ClientBase): Promise<boolean> {
  const asked = client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { rows } = await withinTime(asked, ATTEMPT_TIMEOUT_MS);
  return (client as unknown as { readonly processID: number | null }).processID === rows[0]?.pid;
}

/** What all servers refuse alike, such as a wrong password, is the error itself. */
function noServer(
  target: SessionTarget,
  servers: readonly DatabaseServer[],
  failures: readonly Error[],
): Error {
  const [first] = failures;
  const isSame = failures.every(
    (failure) => isSqlError(failure) && isSqlError(first) && failure.code === first.code,
  );
  return isSame && first !== undefined ? first : new NoServerError(target, servers, failures);
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
