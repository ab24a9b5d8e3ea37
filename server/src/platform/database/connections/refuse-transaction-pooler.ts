import type pg from 'pg';
import type { PreparedClient } from './prepared-client.ts';
import { UnpooledClient } from './unpooled-client.ts';
import { withinTime } from './within-time.ts';

/** Connections of the database lead to a pooler that gives each transaction another session. */
class TransactionPoolerError extends Error {
  constructor() {
    super(
      'DATABASE_URL points to a connection pooler in transaction mode, which is not supported yet: it ' +
        'supports neither prepared statements nor LISTEN. Use its session mode (PgBouncer: pool_mode = ' +
        'session), or connect to PostgreSQL itself.',
    );
    this.name = 'TransactionPoolerError';
  }
}

const responseTimeoutMs = 2_000;

/**
 * Throws TransactionPoolerError, because otherwise statements fail now and then, or nothing is said at
 * all. A pooler takes the session that was free last, so a transaction on a second connection takes
 * that of the first one.
 */
export async function refuseTransactionPooler(
  pool: pg.Pool,
  config: pg.ClientConfig,
): Promise<void> {
  if (await isDirect(pool)) return;
  await using first = new UnpooledClient(config);
  await first.connect();
  const before = await askPid(first.client);
  await using second = new UnpooledClient(config);
  await second.connect();
  await withinTime(second.client.query('begin'), responseTimeoutMs);
  await askPid(second.client);
  const after = await askPid(first.client);
  if (before !== after) throw new TransactionPoolerError();
}

/** PostgreSQL says its process id when a connection begins; poolers send a number of their own. */
async function isDirect(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  client.release();
  const { processID, backendPid } = client as unknown as PreparedClient & {
    readonly processID: number | null;
  };
  return processID === backendPid;
}

async function askPid(client: pg.Client): Promise<number | undefined> {
  const query = client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return (await withinTime(query, responseTimeoutMs)).rows[0]?.pid;
}
