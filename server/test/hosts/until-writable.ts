import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresAddress } from './postgres-address.ts';

const pauseMs = 10;
const connectTimeoutMs = 1_000;
const patienceMs = 180_000;

// With an id of its own, so that it is a write; it changes no table.
const write = `select pg_logical_emit_message(true, 'podstead', 'test')`;

/**
 * Resolves when a standby accepts writes, with that moment by performance.now(). It asks the server itself:
 * the moment doesn't depend on who promotes it, or on who else has noticed.
 */
export async function untilWritable(standby: PostgresAddress): Promise<number> {
  const endAtMs = performance.now() + patienceMs;
  while (performance.now() < endAtMs) {
    const client = new pg.Client({
      connectionString: standby.urlOf('postgres'),
      connectionTimeoutMillis: connectTimeoutMs,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await untilPrimary(client, endAtMs);
      const askedAtMs = performance.now();
      await client.query(write);
      return askedAtMs;
    } catch {
      // It restarts.
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(pauseMs);
  }
  throw new Error(`the PostgreSQL server on port ${standby.port} accepts no writes`);
}

async function untilPrimary(client: pg.Client, endAtMs: number): Promise<void> {
  const ask = `select current_setting('transaction_read_only') = 'off' as "isWritable"`;
  while (performance.now() < endAtMs) {
    const { rows } = await client.query<{ isWritable: boolean }>(ask);
    if (rows[0]?.isWritable === true) return;
    await sleep(pauseMs);
  }
}
