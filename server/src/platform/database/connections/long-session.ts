import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { LongSession } from '../snapshot.ts';
import type { DatabaseServers } from './database-servers.ts';
import { PreparedClient } from './prepared-client.ts';
import { prepareConnection } from './server-pool.ts';

const noLimits = ['statement_timeout', 'idle_in_transaction_session_timeout'];
const MOST_FAILURES = 2;

/** A connection to the server besides those of the pool. */
export async function openServerSession<Tables>(
  servers: DatabaseServers,
): Promise<LongSession<Tables>> {
  for (let failures = 0; ; ) {
    const server = await servers.find();
    const config = { ...servers.configOf(server), query_timeout: 0, server };
    const client = new PreparedClient(config);
    client.onServerChange = () => servers.doubt();
    // An unhandled 'error' would end the process. The next query fails, too.
    client.on('error', () => servers.doubt());
    try {
      await client.connect();
      const settings = noLimits.map((name) => `set ${name} = 0;`).join('');
      const { areKept } = await prepareConnection(client, servers, settings);
      const end = async () => {
        await client.end().catch(() => undefined);
      };
      return { query: queryOn(client, !areKept), [Symbol.asyncDispose]: end };
    } catch (error) {
      client.destroy();
      servers.leave(server);
      failures += 1;
      if (failures === MOST_FAILURES || !servers.areChosen) throw error;
    }
  }
}

/** The only session of the embedded database. Everyone else waits until it is disposed. */
export async function borrowSession<Tables>(pool: pg.Pool): Promise<LongSession<Tables>> {
  const client = await pool.connect();
  return { query: queryOn(client), [Symbol.asyncDispose]: async () => client.release() };
}

/** `hasLimits`: a pooler gives each transaction another session, so each one ends its limits itself. */
function queryOn<Tables>(client: pg.ClientBase, hasLimits = false): Kysely<Tables> {
  const query = async (...given: [never]) => {
    const result = await client.query(...given);
    if (hasLimits && String(given[0]).startsWith('begin'))
      await client.query(noLimits.map((name) => `set local ${name} = 0;`).join(''));
    return result;
  };
  const lease = {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => undefined,
  };
  const pool = { connect: async () => lease, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
