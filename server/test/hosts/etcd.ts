import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { waitForPort } from '../wait-for-port.ts';
import { makeServerFolder, serverUser } from './postgres-server.ts';

export const hasEtcd = spawnSync('etcd', ['--version']).status === 0;

/** The store in which cluster managers agree, with one member. */
export class Etcd implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #peerPort: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, peerPort: number) {
    this.#folder = folder;
    this.port = port;
    this.#peerPort = peerPort;
  }

  static async start(): Promise<Etcd> {
    const etcd = new Etcd(await makeServerFolder(), await freePort(), await freePort());
    try {
      await etcd.start();
    } catch (error) {
      await etcd[Symbol.asyncDispose]();
      throw error;
    }
    return etcd;
  }

  /** Again, after `kill`, with the data that it has. */
  async start(): Promise<void> {
    const url = `http://127.0.0.1:${this.port}`;
    const peerUrl = `http://127.0.0.1:${this.#peerPort}`;
    const flags = {
      ...{ 'data-dir': join(this.#folder, 'data'), name: 'etcd' },
      ...{ 'listen-client-urls': url, 'advertise-client-urls': url },
      ...{ 'listen-peer-urls': peerUrl, 'initial-advertise-peer-urls': peerUrl },
      'initial-cluster': `etcd=${peerUrl}`,
    };
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const { uid, gid } = serverUser();
    this.#process = spawn('etcd', args, {
      ...{ cwd: '/', stdio: 'ignore' },
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    });
    await waitForPort(this.port, this.#process);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
