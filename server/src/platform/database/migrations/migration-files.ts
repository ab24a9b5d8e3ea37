import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MigrationFile {
  /** The file's name, 'NNNN-name.sql'. */
  readonly name: string;
  readonly sql: string;
  /** Hex, of the text with LF line ends, so that a checkout with CRLF has the same hash. */
  readonly sha256: string;
  /** The oldest release whose processes also work after it. Undefined: none of those without the file. */
  readonly oldestRelease: string | undefined;
}

/** The code and the database do not match, or a migration failed. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/** No migration was ever applied to this database, and none may begin. */
export class NoTablesError extends MigrationError {
  /** `podstead at db.example:5432`. */
  readonly database: string;

  constructor(database: string) {
    super(`the database ${database} has no Podstead tables`);
    this.name = 'NoTablesError';
    this.database = database;
  }
}

/** Podstead's migrations. */
export const migrationsFolder = fileURLToPath(new URL('../../../../migrations', import.meta.url));

const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;
/** The first line of a file. */
const OLDEST_RELEASE = /^-- works with: (\d+\.\d+\.\d+)\n/;

/** In order. Throws MigrationError for a misnamed .sql file or a duplicate number. */
export async function readMigrations(folder: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = NAME.exec(name)?.[1];
    if (number === undefined) throw new MigrationError(`${name} is not named NNNN-name.sql`);
    if (numbers.has(number)) throw new MigrationError(`two migrations have the number ${number}`);
    numbers.add(number);
  }
  return await Promise.all(names.map((name) => readMigration(folder, name)));
}

/** One hash for all migrations, which identifies a state of the tables. */
export function hashMigrations(migrations: readonly MigrationFile[]): string {
  const hash = createHash('sha256');
  for (const { name, sha256 } of migrations) hash.update(`${name} ${sha256}\n`);
  return hash.digest('hex');
}

async function readMigration(folder: string, name: string): Promise<MigrationFile> {
  const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  const sha256 = createHash('sha256').update(sql).digest('hex');
  return { name, sql, sha256, oldestRelease: OLDEST_RELEASE.exec(sql)?.[1] };
}
