import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tables = 'server/src/domain/foundation/tables.ts';

/** The types of the tables of a migrated PostgreSQL database: the text of `foundation/tables.ts`. */
export async function generateTables(databaseUrl: string): Promise<string> {
  const config = 'server/kysely-codegen.json';
  const code = await run('kysely-codegen', [
    ...['--config-file', config],
    ...['--url', databaseUrl],
    ...['--log-level', 'error'],
    '--print',
  ]);
  return await run('biome', ['check', '--write', `--stdin-file-path=${tables}`], code);
}

/** Runs a tool in the project's root. Resolves to its output. */
function run(tool: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      `${root}/node_modules/.bin/${tool}`,
      args,
      { cwd: root },
      (error, out) => (error === null ? resolve(out) : reject(error)),
    );
    child.stdin?.end(input);
  });
}
