import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { postgresAvailable, testDatabaseUrl } from '../../server/test/postgres-available.ts';

export { postgresAvailable };

export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
}

const prefix = 'podstead_bench_';
const leftOverAfterMs = 60 * 60 * 1_000;

/** A new database on the server that the tests use. Disposing drops it. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  const name = `${prefix}${Date.now()}_${randomBytes(4).toString('hex')}`;
  await asOperator(async (client) => {
    await dropLeftOvers(client);
    await client.query(`create database ${name}`);
  });
  const url = new URL(testDatabaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () =>
      asOperator(async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** Drops databases of killed runs. */
async function dropLeftOvers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [`${prefix}%`],
  );
  for (const { datname } of rows) {
    const madeAt = Number(datname.slice(prefix.length).split('_')[0]);
    if (madeAt > Date.now() - leftOverAfterMs) continue;
    await client.query(`drop database if exists ${datname} with (force)`);
  }
}

async function asOperator(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(testDatabaseUrl);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
