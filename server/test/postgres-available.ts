import pg from 'pg';

/** A server on which tests may make databases: TEST_DATABASE_URL, or the usual local one. */
export const testDatabaseUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const CONNECT_TIMEOUT_MS = 2_000;

/** Whether that server responds. */
export async function postgresAvailable(): Promise<boolean> {
  const client = new pg.Client({
    connectionString: testDatabaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
