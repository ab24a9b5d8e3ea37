import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const main = join(import.meta.dirname, '../src/start.js');

/** Runs first: records each loaded module, and whether V8's compile cache was on. */
const preload = `data:text/javascript,${encodeURIComponent(`
  import { getCompileCacheDir, registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      const isCached = getCompileCacheDir() !== undefined;
      process.stderr.write('loaded ' + isCached + ' ' + url + '\\n');
      return next(url, context);
    },
  });
`)}`;

export interface LoadedModule {
  readonly url: string;
  /** V8's compile cache was on: this module is compiled once, not at every start. */
  readonly isCached: boolean;
}

/** The modules that a command loads, in order. Throws if the command fails. */
export async function modulesLoadedBy(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly LoadedModule[]> {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', preload, main, ...argv],
    { env: { PATH: process.env['PATH'], ...env }, maxBuffer: 16 * 1024 * 1024 },
  );
  return stderr.split('\n').flatMap((line) => {
    const [, isCached, url] = /^loaded (true|false) (file:.*)$/.exec(line) ?? [];
    return url === undefined ? [] : [{ url, isCached: isCached === 'true' }];
  });
}
