import type pg from 'pg';

/** The database that DATABASE_URL names cannot do what ours has to. */
class UnsuitableDatabaseError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnsuitableDatabaseError';
  }
}

/** As `server_version_num` counts. */
const oldestVersion = 15_00_00;

/**
 * Throws UnsuitableDatabaseError for a server that is too old for our statements, and for a database
 * with another encoding than UTF-8: it would refuse the first title with a character that the encoding
 * lacks, and SQL_ASCII would count bytes as characters.
 */
export async function refuseUnsuitableDatabase(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ encoding: string; version: string; number: number }>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
      current_setting('server_version_num')::int as number`,
  );
  const [found] = rows;
  if (found === undefined) return;
  if (found.number < oldestVersion)
    throw new UnsuitableDatabaseError(
      `DATABASE_URL points to PostgreSQL ${found.version}. Podstead needs PostgreSQL 15 or newer.`,
    );
  if (found.encoding !== 'UTF8')
    throw new UnsuitableDatabaseError(
      `The database of DATABASE_URL has the encoding ${found.encoding}, which can’t store every text. ` +
        'Create one with UTF-8: createdb --encoding=UTF8 --template=template0 NAME',
    );
}
