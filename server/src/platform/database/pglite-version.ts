import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The version of the installed PGlite. */
export async function readPgliteVersion(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const text = await readFile(join(main, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
