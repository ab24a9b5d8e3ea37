import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { LongSession } from '../snapshot.ts';
import { prepareConnection, serverClientConfig, sessionSettings } from './pools.ts';
import { PreparedClient } from './prepared-client.ts';

const noLimits = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;';

/** A connection to the server besides those of the pool. */
export async function openServerSession<Tables>(url: string): Promise<LongSession<Tables>> {
  const client = new PreparedClient({ ...serverClientConfig(url), query_timeout: 0 });
  // An unhandled 'error' would end the process. The next query fails, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await prepareConnection(client, `${sessionSettings(url)}${noLimits}`);
  } catch (error) {
    client.destroy();
    throw error;
  }
  const end = async () => {
    await client.end().catch(() => undefined);
  };
  return { query: queryOn(client), [Symbol.asyncDispose]: end };
}

/** The only session of the embedded database. Everyone else waits until it is disposed. */
export async function borrowSession<Tables>(pool: pg.Pool): Promise<LongSession<Tables>> {
  const client = await pool.connect();
  return { query: queryOn(client), [Symbol.asyncDispose]: async () => client.release() };
}

function queryOn<Tables>(client: pg.ClientBase): Kysely<Tables> {
  const query = (...given: [never]) => client.query(...given);
  const lease = { query: query as PostgresPoolClient['query'], release: () => undefined };
  const pool = { connect: async () => lease, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
