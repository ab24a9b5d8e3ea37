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

/** A load balancer: `start` for connections to a database, `balance` for requests to `serve` processes. */
export class Haproxy implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, child: ChildProcess, port: number) {
    this.#folder = folder;
    this.#process = child;
    this.port = port;
  }

  /** New connections go to the first of these ports, until `sendTo`. Open ones stay where they are. */
  static async start(ports: readonly number[]): Promise<Haproxy> {
    const servers = ports.map(
      (target, at) => `server s${target} 127.0.0.1:${target}${at === 0 ? '' : ' disabled'}`,
    );
    return await Haproxy.#run(await freePort(), 'database', ['mode tcp', ...servers]);
  }

  /** Requests to `port` go in turn to those of these ports whose /readyz responds with 200. */
  static async balance(port: number, ports: readonly number[]): Promise<Haproxy> {
    return await Haproxy.#run(port, 'podstead', [
      ...['mode http', 'balance roundrobin', 'option redispatch', 'option httpchk'],
      `http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1:${port}`,
      // A busy machine may respond late once.
      'timeout check 5s',
      'default-server check inter 500ms fall 2 rise 1',
      ...ports.map((target) => `server s${target} 127.0.0.1:${target}`),
    ]);
  }

  static async #run(port: number, name: string, settings: readonly string[]): Promise<Haproxy> {
    return await Haproxy.configured(port, (folder) =>
      [
        ...['global', `  stats socket ${folder}/admin mode 600 level admin`],
        ...['defaults', '  timeout connect 2s', '  timeout client 1h', '  timeout server 1h'],
        ...[`listen ${name}`, `  bind 127.0.0.1:${port}`, ...settings.map((line) => `  ${line}`)],
      ].join('\n'),
    );
  }

  /** With the whole file of its configuration, which makes it listen on `port`. */
  static async configured(port: number, configure: (folder: string) => string): Promise<Haproxy> {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-haproxy-'));
    await writeFile(join(folder, 'haproxy.cfg'), `${configure(folder)}\n`);
    const child = spawn(program ?? 'haproxy', ['-db', '-q', '-f', join(folder, 'haproxy.cfg')], {
      stdio: 'ignore',
    });
    await waitForPort(port, child);
    return new Haproxy(folder, child, port);
  }

  /** New connections go from the one port to the other. */
  async sendTo(from: number, to: number): Promise<void> {
    await this.#change(`enable server database/s${to}`);
    await this.#change(`disable server database/s${from}`);
  }

  /** Sends no new requests to this port, whatever /readyz says, until it `resume`s. */
  async drain(port: number): Promise<void> {
    await this.#change(`set server podstead/s${port} state drain`);
  }

  async resume(port: number): Promise<void> {
    await this.#change(`set server podstead/s${port} state ready`);
  }

  /** Whether it sends requests to this port. */
  async isUp(port: number): Promise<boolean> {
    const lines = (await this.#ask('show stat')).split('\n').map((line) => line.split(','));
    const at = lines[0]?.indexOf('status') ?? -1;
    return lines.some(([, server, ...rest]) => server === `s${port}` && rest[at - 2] === 'UP');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #change(line: string): Promise<void> {
    const answer = await this.#ask(line);
    if (answer !== '') throw new Error(`HAProxy: ${answer}`);
  }

  async #ask(line: string): Promise<string> {
    const socket = connect(join(this.#folder, 'admin'));
    socket.end(`${line}\n`);
    return (await text(socket)).trim();
  }
}
