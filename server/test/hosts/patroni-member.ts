import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../is-running.ts';
import { signalWithChildren } from '../signal-with-children.ts';
import { PostgresAddress, untilTrue } from './postgres-address.ts';
import { postgresPrograms, serverUser } from './postgres-server.ts';

/** Debian's, with what it needs for etcd. */
export const hasPatroni =
  spawnSync('patroni', ['--version']).status === 0 &&
  spawnSync('/usr/bin/python3', ['-c', 'import etcd']).status === 0;

export const patroniScope = 'podstead';

/** Settings of the cluster, in Patroni's words. */
export interface PatroniSettings {
  readonly ttl: number;
  readonly loop_wait: number;
  readonly retry_timeout: number;
  readonly synchronous_mode: boolean;
  readonly failsafe_mode?: boolean;
}

/** A machine of a cluster: Patroni, and the PostgreSQL server that it starts and stops. */
export class PatroniMember implements AsyncDisposable {
  readonly name: string;
  readonly address: PostgresAddress;
  /** Of Patroni's REST API, which says what its server is. */
  readonly restPort: number;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  /** `folder` belongs to the user that runs servers. It is removed with the member. */
  constructor(name: string, folder: string, ports: { postgres: number; rest: number }) {
    this.name = name;
    this.address = new PostgresAddress(ports.postgres);
    this.restPort = ports.rest;
    this.#folder = folder;
  }

  /** Patroni's configuration. */
  get configPath(): string {
    return join(this.#folder, 'patroni.yml');
  }

  /** JSON is YAML, too. */
  async configure(etcdPort: number, settings: PatroniSettings): Promise<void> {
    const config = {
      ...{ scope: patroniScope, name: this.name, etcd3: { hosts: `127.0.0.1:${etcdPort}` } },
      restapi: { listen: this.#at(this.restPort), connect_address: this.#at(this.restPort) },
      bootstrap: {
        dcs: { ...settings, postgresql: clusterSettings },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }, 'no-sync'],
      },
      postgresql: {
        ...{ listen: this.#at(this.address.port), connect_address: this.#at(this.address.port) },
        ...{
          data_dir: this.#data,
          bin_dir: postgresPrograms,
          pgpass: join(this.#folder, 'pgpass'),
        },
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replicator' },
        },
        pg_hba: [
          ...['local all all trust', 'host all all 127.0.0.1/32 trust'],
          'host replication all 127.0.0.1/32 trust',
        ],
        parameters: { ...serverSettings, unix_socket_directories: this.#folder },
      },
    };
    await writeFile(this.configPath, JSON.stringify(config, undefined, 2), { mode: 0o644 });
  }

  async start(): Promise<void> {
    const { uid, gid } = serverUser();
    await using log = await open(this.#log, 'a');
    this.#process = spawn('patroni', [this.configPath], {
      ...{ cwd: '/', stdio: ['ignore', log.fd, log.fd] },
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    });
  }

  /** Whether Patroni runs. */
  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  /** Whether Patroni says that its server is the primary. */
  async isLeader(): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.restPort}/primary`);
    return response.status === 200;
  }

  /** Kills Patroni and PostgreSQL with all of its processes, as a power cut does. */
  async kill(): Promise<void> {
    await this.killPatroni();
    await this.killPostgres();
  }

  /** PostgreSQL runs on. */
  async killPatroni(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined || !this.isRunning) return;
    const ended = once(child, 'exit');
    // With what it is just running, such as pg_basebackup or pg_rewind.
    signalWithChildren(child.pid, 'SIGKILL');
    await ended;
  }

  /** Patroni runs on. */
  async killPostgres(): Promise<void> {
    const pid = this.#postmasterPid;
    if (pid === undefined) return;
    signalWithChildren(pid, 'SIGKILL');
    await untilTrue(`process ${pid} does not end`, async () => !isRunning(pid));
  }

  /** Both accept connections and say nothing more, until `thaw`. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of [this.#process?.pid, this.#postmasterPid])
      if (pid !== undefined) signalWithChildren(pid, signal);
  }

  /** What Patroni has logged last. */
  async readLog(): Promise<string> {
    const lines = await readFile(this.#log, 'utf8').catch(() => '');
    return lines.split('\n').slice(-20).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** PostgreSQL is not a child of Patroni, so that it survives Patroni. */
  get #postmasterPid(): number | undefined {
    try {
      const [line] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
      const pid = Number(line);
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return command.includes(this.#data) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #log(): string {
    return join(this.#folder, 'patroni.log');
  }

  #at(port: number): string {
    return `127.0.0.1:${port}`;
  }
}

const clusterSettings = {
  ...{ use_pg_rewind: true, use_slots: true },
  // Those that all servers must have alike.
  parameters: {
    ...{ max_connections: 60, max_wal_senders: 6, wal_log_hints: 'on', wal_keep_size: '128MB' },
  },
};

const serverSettings = {
  ...{ fsync: 'off', shared_buffers: '32MB', max_wal_size: '256MB', jit: 'off' },
  log_min_messages: 'fatal',
};
