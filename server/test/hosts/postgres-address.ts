import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PATIENCE_MS = 60_000;

/** A PostgreSQL server on this machine, as its superuser reaches it without anything in between. */
export class PostgresAddress {
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** Of the superuser, on the database of this name. */
  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async query<Row extends pg.QueryResultRow>(
    sql: string,
    database = 'postgres',
  ): Promise<readonly Row[]> {
    const client = new pg.Client(this.urlOf(database));
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The URL of a database on several servers, in this order. */
export function urlOfAll(
  servers: readonly PostgresAddress[],
  database: string,
  parameters = '',
): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://postgres@${hosts}/${database}${parameters}`;
}

/** Resolves when the condition is true; a failure to ask means that it is not yet. */
export async function untilTrue(
  problem: string,
  condition: () => Promise<boolean>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const endAt = performance.now() + patienceMs;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > endAt) throw new Error(problem);
    await sleep(20);
  }
}
