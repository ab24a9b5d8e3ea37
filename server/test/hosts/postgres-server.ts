import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { signalWithChildren } from '../signal-with-children.ts';
import { PostgresAddress, untilTrue } from './postgres-address.ts';

const versions = '/usr/lib/postgresql';

function findPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const [newest] = readdirSync(versions).toSorted((a, b) => Number(b) - Number(a));
  const folder = join(versions, newest ?? '', 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : undefined;
}

/** The folder of PostgreSQL's programs; undefined: there are none here. */
export const postgresPrograms = findPrograms();

/** Whether servers can be made here; they don't run as root. */
export const hasPostgresPrograms = postgresPrograms !== undefined;

/** Who runs servers: the user `postgres`, or this one if it is not root. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A folder of that user, in memory where there is some. */
export async function makeServerFolder(): Promise<string> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'podstead-pg-'));
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

const tooSlow = 'a PostgreSQL server does not come up';

/** A PostgreSQL server of its own, which a test stops, kills and promotes. */
export class PostgresServer extends PostgresAddress implements AsyncDisposable {
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    super(port);
    this.#folder = folder;
  }

  /** `folder` belongs to the user that runs servers. It is removed with the server. */
  static async create(folder?: string): Promise<PostgresServer> {
    const server = new PostgresServer(folder ?? (await makeServerFolder()), await freePort());
    await server.#run('initdb', [
      ...['--no-sync', '--auth=trust', '--username=postgres', '--no-instructions'],
      ...['--encoding=UTF8', '--locale=C.UTF-8', `--pgdata=${server.#data}`],
    ]);
    await server.start();
    return server;
  }

  /** A standby of another one. Commits of that one then wait for it. */
  static async createStandby(primary: PostgresServer): Promise<PostgresServer> {
    const server = new PostgresServer(await makeServerFolder(), await freePort());
    await server.follow(primary);
    return server;
  }

  async start(): Promise<void> {
    const settings = {
      ...{ port: this.port, listen_addresses: '127.0.0.1', unix_socket_directories: this.#folder },
      ...{ fsync: 'off', max_connections: 60, shared_buffers: '32MB', max_wal_size: '256MB' },
      ...{ wal_level: 'replica', hot_standby: 'on', max_wal_senders: 4, wal_keep_size: '128MB' },
      // Whoever takes over may need the log of the other one.
      ...{ wal_log_hints: 'on', jit: 'off', log_min_messages: 'fatal' },
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { uid, gid } = serverUser();
    this.#process = spawn(join(postgresPrograms ?? '', 'postgres'), ['-D', this.#data, ...flags], {
      cwd: '/',
      stdio: 'ignore',
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    });
    await untilTrue(tooSlow, async () => (await this.query('select 1')).length === 1);
  }

  /** It may have ended already, for instance because its disk was full. */
  async startIfEnded(): Promise<boolean> {
    const child = this.#process;
    if (child?.exitCode === null && child.signalCode === null) return false;
    await this.start();
    return true;
  }

  /** Kills all of its processes, as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    const ended = once(child, 'exit');
    signalWithChildren(child.pid, 'SIGKILL');
    await ended;
    this.#process = undefined;
  }

  /** Accepts connections and says nothing more, until it is killed. */
  freeze(): void {
    const pid = this.#process?.pid;
    if (pid !== undefined) signalWithChildren(pid, 'SIGSTOP');
  }

  /** Stops in order: standbys receive everything before it ends. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
    this.#process = undefined;
  }

  /** Becomes the primary. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 60)');
    await untilTrue(tooSlow, async () => {
      const [row] = await this.query<{ is: boolean }>('select pg_is_in_recovery() as is');
      return row?.is === false;
    });
  }

  /** Begins anew, as a standby of that one. */
  async follow(primary: PostgresServer): Promise<void> {
    await this.stop();
    await rm(this.#data, { recursive: true, force: true });
    await this.#run('pg_basebackup', [
      ...['--host=127.0.0.1', `--port=${primary.port}`, '--username=postgres', '--no-sync'],
      ...['--wal-method=stream', '--write-recovery-conf', '--checkpoint=fast'],
      `--pgdata=${this.#data}`,
    ]);
    await this.#followIt(primary);
  }

  /** After `stop`: the same, with the data that it has. */
  async rejoin(primary: PostgresServer): Promise<void> {
    const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres`;
    await appendFile(
      join(this.#data, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfo}'\nsynchronous_standby_names = ''\n` +
        `recovery_target_timeline = 'latest'\n`,
    );
    await writeFile(join(this.#data, 'standby.signal'), '');
    await this.#followIt(primary);
  }

  async #followIt(primary: PostgresServer): Promise<void> {
    await this.start();
    const following = `select from pg_stat_replication where state = 'streaming'`;
    await untilTrue(tooSlow, async () => (await primary.query(following)).length > 0);
    await primary.set('synchronous_standby_names', '*');
  }

  /** Changes a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`alter system set ${name} = '${value}'`);
    await this.query('select pg_reload_conf()');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const { uid, gid } = serverUser();
    const child = spawn(join(postgresPrograms ?? '', program), args, {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  }
}
