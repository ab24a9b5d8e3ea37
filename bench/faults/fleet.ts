import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, repositoryRoot } from '../public/serve-process.ts';

/** All processes say that they have this address; clients connect to one of them. */
export const origin = 'http://test.local';
export const secret = 'a secret of the bench, and of nobody else';

export type Kind = 'serve' | 'worker';

interface Member {
  readonly kind: Kind;
  child: ChildProcess | undefined;
  /** Undefined while it starts. */
  url: string | undefined;
  readonly metricsPort: number;
}

export interface FleetOptions {
  readonly kinds: readonly Kind[];
  /** Where their log is appended. */
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Processes of one installation, which are killed and started again. */
export class Fleet implements AsyncDisposable {
  readonly #settings: Readonly<Record<string, string>>;
  readonly #members: Member[] = [];
  readonly #log: WriteStream;
  /** By Date.now(). */
  readonly killedAtMs: number[] = [];
  /** Processes that ended although nobody killed them. */
  readonly ended: string[] = [];
  logLines = 0;

  private constructor({ logFile, settings }: FleetOptions) {
    this.#settings = settings;
    this.#log = createWriteStream(logFile, { flags: 'a' });
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(options);
    for (const kind of options.kinds) {
      const member = { kind, child: undefined, url: undefined, metricsPort: await findFreePort() };
      fleet.#members.push(member);
      await fleet.#launch(member);
    }
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  /** Changes when the process is started again; undefined: it doesn't listen. */
  urlOf(index: number): string | undefined {
    return this.#members[index]?.url;
  }

  /** A server that listens, from `turn` on. */
  pick(turn: number): { readonly index: number; readonly url: string } | undefined {
    for (let step = 0; step < this.#members.length; step += 1) {
      const index = (turn + step) % this.#members.length;
      const url = this.#members[index]?.url;
      if (url !== undefined) return { index, url };
    }
    return undefined;
  }

  /** Kills a process. `onKill` is called before anything else can happen. */
  async kill(index: number, onKill: () => void = () => undefined): Promise<void> {
    const member = this.#members[index];
    const child = member?.child;
    if (member === undefined || child === undefined) return;
    member.child = undefined;
    member.url = undefined;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    this.killedAtMs.push(Date.now());
    onKill();
    await ended;
  }

  /** Starts a killed process again. */
  async restart(index: number): Promise<void> {
    const member = this.#members[index];
    if (member !== undefined && member.child === undefined) await this.#launch(member);
  }

  async #launch(member: Member): Promise<void> {
    const port = await findFreePort();
    const child = spawn(
      process.execPath,
      [join(repositoryRoot, 'server/src/start.js'), member.kind],
      {
        cwd: repositoryRoot,
        env: {
          PATH: process.env['PATH'],
          ...{ PORT: String(port), METRICS_PORT: String(member.metricsPort) },
          ...{ BASE_URL: origin, SECRET: secret, NODE_ENV: 'production', LOG_LEVEL: 'warn' },
          ...{ TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: '0', OUTBOUND_ALLOW: '127.0.0.0/8' },
          ...this.#settings,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    member.child = child;
    createInterface(child.stderr).on('line', (line) => {
      this.logLines += 1;
      this.#log.write(`${line}\n`);
    });
    child.once('exit', (code, signal) => {
      if (member.child !== child) return;
      this.ended.push(`${member.kind} ended: ${code ?? signal}`);
      member.child = undefined;
      member.url = undefined;
    });
    if (member.kind === 'worker') return await untilWorking(member, child);
    const early = once(child, 'exit').then(() => undefined);
    const line = await Promise.race([once(createInterface(child.stdout), 'line'), early]);
    if (line === undefined || member.child !== child) return;
    member.url = (JSON.parse(String(line)) as { url: string }).url.replace(
      origin,
      `http://127.0.0.1:${port}`,
    );
  }

  /** The sum over all processes that respond. */
  async sumMetric(name: string): Promise<number> {
    let sum = 0;
    for (const { metricsPort } of this.#members) {
      const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(
        () => undefined,
      );
      const text = (await response?.text()) ?? '';
      sum += Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
    }
    return sum;
  }

  /** In bytes, of all processes together. */
  async residentBytes(): Promise<number> {
    return await this.sumMetric('process_resident_memory_bytes');
  }

  /** Ends all processes as a service manager does. Returns the slowest end in ms. */
  async stop(): Promise<number> {
    const from = performance.now();
    await Promise.all(
      this.#members.map(async (member) => {
        const { child } = member;
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
        member.child = undefined;
        member.url = undefined;
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        const patience = sleep(30_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
        await Promise.race([ended, patience.then(() => ended)]);
      }),
    );
    return performance.now() - from;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map((_, index) => this.kill(index)));
    this.#log.end();
  }
}

/** A worker prints nothing: it is up when a job has ended. */
async function untilWorking(member: Member, child: ChildProcess): Promise<void> {
  while (member.child === child) {
    const metrics = await fetch(`http://127.0.0.1:${member.metricsPort}/metrics`).then(
      (response) => response.text(),
      () => '',
    );
    if (metrics.includes('podstead_jobs_total{')) return;
    await sleep(100);
  }
}
