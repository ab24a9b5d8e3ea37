import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLog } from '../database-log.ts';
import type { EmbeddedEngine } from '../embedded/embedded-engine.ts';
import { APPLICATION_NAME } from './client-config.ts';
import { PreparedClient } from './prepared-client.ts';
import { typeParsers } from './type-parsers.ts';

const END_TIMEOUT_MS = 1_000;
// How long a query waits for the embedded database's single session.
const SESSION_TIMEOUT_MS = 30_000;

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

/**
 * An unhandled 'error' would end the process, so every client, idle or borrowed, has a listener.
 */
export function survivingLostConnections(pool: pg.Pool, log: DatabaseLog): pg.Pool {
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
