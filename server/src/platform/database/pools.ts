import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLog } from './database-log.ts';
import type { EmbeddedEngine } from './embedded-engine.ts';
import { EmbeddedStream } from './embedded-stream.ts';
import { PreparedClient } from './prepared-client.ts';
import { typeParsers } from './type-parsers.ts';

const APPLICATION_NAME = 'podstead';
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
// Somewhat more than the server's own limit: reached only when the server is gone without a word.
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
const END_TIMEOUT_MS = 3_000;
const IDLE_CONNECTION_MS = 60_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5 * 60_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
// How long a query waits for the embedded database's only session.
const SESSION_TIMEOUT_MS = 30_000;

/** What every connection to a server is opened with; what the address itself says goes first. */
export function serverClientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
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
    onConnect: prepareConnection,
    Client: PreparedClient,
  } as pg.PoolConfig);
  return survivingLostConnections(pool, log);
}

export function createEmbeddedPool(engine: EmbeddedEngine, log: DatabaseLog): pg.Pool {
  const pool = new pg.Pool({
    // Given in full, so that no PG… variable of the environment has a say.
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

/** Ends a pool when its connections are given back, or when that takes too long. */
export async function endPool(pool: pg.Pool): Promise<void> {
  const impatience = new AbortController();
  const late = sleep(END_TIMEOUT_MS, undefined, { ref: false, signal: impatience.signal });
  await Promise.race([pool.end(), late]).finally(() => impatience.abort());
}

/** Days begin in UTC and dates are written one way, whatever the server is set to. */
async function prepareConnection(client: pg.ClientBase): Promise<void> {
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO, YMD'`);
}

/** An 'error' that nobody listens to ends the process, so each client, idle or lent, is heard. */
function survivingLostConnections(pool: pg.Pool, log: DatabaseLog): pg.Pool {
  const report = (error: Error) => log.warn({ err: error }, 'lost a database connection');
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}
