import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this folder holds the files of a PostgreSQL database. */
export function isDatabase(filesDir: string): boolean {
  return existsSync(join(filesDir, 'PG_VERSION'));
}
