import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLog } from '../database-log.ts';
import type { EmbeddedEngine } from '../embedded/embedded-engine.ts';
import { PreparedClient } from './prepared-client.ts';
import { typeParsers } from './type-parsers.ts';
import { withinTime } from './within-time.ts';

const APPLICATION_NAME = 'podstead';
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
// Slightly above the server's own limit; reached only if nothing else detects that the server is
// gone (dead-connections.ts).
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
const END_TIMEOUT_MS = 1_000;
const IDLE_CONNECTION_MS = 60_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5 * 60_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
// How long a query waits for the embedded database's single session.
const SESSION_TIMEOUT_MS = 30_000;

/** The configuration of every connection to a server; parameters in the URL take precedence. */
export function serverClientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: typeParsers,
  };
}

export function createServerPool(url: string, poolSize: number, log: DatabaseLog): pg.Pool {
  const pool = new pg.Pool({
    ...serverClientConfig(url),
    max: poolSize,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    onConnect: (client: pg.ClientBase) => prepareConnection(client, sessionSettings(url)),
    Client: PreparedClient,
  } as pg.PoolConfig);
  return survivingLostConnections(pool, log);
}

export function createEmbeddedPool(engine: EmbeddedEngine, log: DatabaseLog): pg.Pool {
  const pool = new pg.Pool({
    // Complete, so that no PG… variable of the environment matters.
    host: 'embedded',
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    application_name: APPLICATION_NAME,
    stream: () => new EmbeddedStream(engine),
    max: 1,
    connectionTimeoutMillis: SESSION_TIMEOUT_MS,
    idleTimeoutMillis: 0,
    types: typeParsers,
    Client: PreparedClient,
  } as pg.PoolConfig);
  return survivingLostConnections(pool, log);
}

/** Ends a pool when its connections are returned, or after a timeout. */
export async function endPool(pool: pg.Pool): Promise<void> {
  const impatience = new AbortController();
  const late = sleep(END_TIMEOUT_MS, undefined, { ref: false, signal: impatience.signal });
  await Promise.race([pool.end(), late]).finally(() => impatience.abort());
}

/** Closes idle connections, so that the next queries use new ones. */
export function renewIdleConnections(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

/**
 * What our statements and the parsers of their results rely on, whatever the configuration of the
 * server, `options` in the URL or PGOPTIONS say. No JIT: it takes longer than any of our statements
 * saves by it.
 */
const relied = {
  client_encoding: `'UTF8'`,
  timezone: `'UTC'`,
  datestyle: `'ISO, YMD'`,
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  default_transaction_isolation: `'read committed'`,
  jit: 'off',
};
const limits = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};

/**
 * Statements rather than startup parameters, which poolers refuse. Limits of time among the
 * parameters of the URL take precedence.
 */
export function sessionSettings(url: string): string {
  const given = new URLSearchParams(url.split('?')[1]);
  const missing = Object.entries(limits).filter(([name]) => !given.has(name));
  return [...Object.entries(relied), ...missing]
    .map(([name, value]) => `set ${name} = ${value};`)
    .join('');
}

export async function prepareConnection(client: pg.ClientBase, settings: string): Promise<void> {
  const sql = `${settings} select pg_backend_pid() as pid`;
  // One result for each statement. A pooler in between would report a pid of its own.
  const results: unknown = await withinTime(client.query(sql), CONNECT_TIMEOUT_MS);
  const last = (results as readonly pg.QueryResult<{ pid: number }>[]).at(-1);
  (client as PreparedClient).backendPid = last?.rows[0]?.pid;
}

/**
 * An unhandled 'error' would end the process, so every client, idle or borrowed, has a listener.
 */
function survivingLostConnections(pool: pg.Pool, log: DatabaseLog): pg.Pool {
  const report = (error: Error) => log.warn({ err: error }, 'lost a database connection');
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

interface Written {
  readonly chunk: Buffer;
}
type Done = (error?: Error | null) => void;

/** A socket for pg, backed by a session of the embedded database. */
class EmbeddedStream extends Duplex {
  readonly #engine: EmbeddedEngine;
  #session: number | undefined;

  constructor(engine: EmbeddedEngine) {
    super();
    this.#engine = engine;
  }

  /** pg passes port and host, which have no meaning here. */
  connect(): this {
    this.#engine.ensureRunning().then(
      () => this.#open(),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#send([chunk]);
    done();
  }

  /** pg corks the stream, so the messages of a query arrive together. */
  override _writev(chunks: Written[], done: Done): void {
    this.#send(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: Done): void {
    done();
    this.destroy();
  }

  override _read(): void {
    // Responses are pushed on arrival.
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#session !== undefined) this.#engine.closeSession(this.#session);
    this.#session = undefined;
    done(error);
  }

  // Other socket methods that pg calls.
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #open(): void {
    if (this.destroyed) return;
    this.#session = this.#engine.openSession({
      onBytes: (bytes) => this.push(bytes),
      onLost: (error) => this.destroy(error),
    });
    this.emit('connect');
  }

  #send(chunks: readonly Buffer[]): void {
    // A copy, because pg reuses its buffers and this one is transferred. Sent at once, so that the
    // end of a session precedes the start of the next.
    if (this.#session !== undefined) {
      this.#engine.send(this.#session, new Uint8Array(Buffer.concat(chunks)));
    }
  }
}
