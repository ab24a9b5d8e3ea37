import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { waitForPort } from '../wait-for-port.ts';
import { makeServerFolder, serverUser } from './postgres-server.ts';

/** On Debian it is only in the PATH of root. TEST_PGBOUNCER names another version. */
const program = [process.env['TEST_PGBOUNCER'] ?? '', 'pgbouncer', '/usr/sbin/pgbouncer'].find(
  (name) => name !== '' && spawnSync(name, ['--version']).status === 0,
);
export const hasPgBouncer = program !== undefined;

const [, minor = '0'] =
  program === undefined
    ? []
    : (/ 1\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout) ?? []);
/** Debian 12 has 1.18. */
export const keepsPreparedStatements = Number(minor) >= 21;

/** A pooler before a database server. */
export class PgBouncer implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #port: number;

  private constructor(folder: string, child: ChildProcess, port: number) {
    this.#folder = folder;
    this.#process = child;
    this.#port = port;
  }

  /** `target`: the URL of any database on the server. `settings`: lines of pgbouncer.ini. */
  static async start(
    target: string,
    poolMode: 'session' | 'transaction',
    settings: readonly string[] = [],
  ): Promise<PgBouncer> {
    const folder = await makeServerFolder();
    const port = await freePort();
    const { hostname, port: targetPort } = new URL(target);
    const lines = [
      // Clients that may be anyone need a user for the servers.
      ...['[databases]', `* = host=${hostname} port=${targetPort || 5432} user=postgres`],
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'logfile ='],
      ...['auth_type = any', `pool_mode = ${poolMode}`, 'default_pool_size = 6'],
      ...['max_client_conn = 200', 'server_login_retry = 1', ...settings],
    ];
    await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`, { mode: 0o644 });
    const { uid, gid } = serverUser();
    const child = spawn(program ?? 'pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore'],
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    });
    await waitForPort(port, child);
    return new PgBouncer(folder, child, port);
  }

  /** The URL of a database through the pooler. */
  urlOf(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
