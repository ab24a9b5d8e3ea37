import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../free-port.ts';
import { waitForPort } from '../wait-for-port.ts';

/** On Debian it is only in the PATH of root. */
const program = ['haproxy', '/usr/sbin/haproxy'].find(
  (name) => spawnSync(name, ['-v']).status === 0,
);
export const hasHaproxy = program !== undefined;

/** A load balancer that sends new connections to one of several servers. Open ones stay where they are. */
export class Haproxy implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, child: ChildProcess, port: number) {
    this.#folder = folder;
    this.#process = child;
    this.port = port;
  }

  /** To the first of these ports, until `sendTo`. */
  static async start(ports: readonly number[]): Promise<Haproxy> {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-haproxy-'));
    const port = await freePort();
    const servers = ports.map(
      (target, at) => `  server s${target} 127.0.0.1:${target}${at === 0 ? '' : ' disabled'}`,
    );
    const lines = [
      ...['global', `  stats socket ${folder}/admin mode 600 level admin`],
      ...['defaults', '  mode tcp', '  timeout connect 2s'],
      ...['  timeout client 1h', '  timeout server 1h'],
      ...['listen database', `  bind 127.0.0.1:${port}`, ...servers],
    ];
    await writeFile(join(folder, 'haproxy.cfg'), `${lines.join('\n')}\n`);
    const child = spawn(program ?? 'haproxy', ['-db', '-q', '-f', join(folder, 'haproxy.cfg')], {
      stdio: 'ignore',
    });
    await waitForPort(port, child);
    return new Haproxy(folder, child, port);
  }

  /** New connections go from the one port to the other. */
  async sendTo(from: number, to: number): Promise<void> {
    await this.#command(`enable server database/s${to}`);
    await this.#command(`disable server database/s${from}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #command(line: string): Promise<void> {
    const socket = connect(join(this.#folder, 'admin'));
    socket.end(`${line}\n`);
    const answer = (await text(socket)).trim();
    if (answer !== '') throw new Error(`HAProxy: ${answer}`);
  }
}
