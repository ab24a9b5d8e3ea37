import type pg from 'pg';
import { typeParsers } from './type-parsers.ts';

export const APPLICATION_NAME = 'podstead';
const CONNECT_TIMEOUT_MS = 5_000;
// Slightly above the server's own limit; reached only if nothing else detects that the server is
// gone (dead-connections.ts).
const ANSWER_TIMEOUT_MS = 35_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** The configuration of every connection to a server; parameters in the URL take precedence. */
export function clientConfig(
  url: string,
  connectTimeoutMs: number = CONNECT_TIMEOUT_MS,
): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: typeParsers,
  };
}
