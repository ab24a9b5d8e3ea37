import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFailoverLoad, loadedSeed } from '../../server/test/failover-installation.ts';
import type { FailoverLoad } from '../../server/test/failover-load.ts';
import { freePort } from '../../server/test/free-port.ts';
import { Haproxy } from '../../server/test/hosts/haproxy.ts';
import { PostgresServer } from '../../server/test/hosts/postgres-server.ts';
import { testRedisUrl } from '../../server/test/hosts/redis.ts';
import { type Program, startProgram } from '../../server/test/start-program.ts';
import { makeTempFolder } from '../temp-folder.ts';

const database = 'podstead';
const patienceMs = 60_000;
/** Longer than the balancer needs to notice that /readyz says 503. */
const stopDelaySeconds = 3;
/** Longer than any request takes. */
const drainMs = 2_000;

/** A process, which is replaced by one of another release on the same port. */
export type Slot = 'first' | 'second' | 'worker';

/** Two `serve` processes behind HAProxy and a `worker`, on PostgreSQL, Redis and a shared folder. */
export class UpgradeInstallation implements AsyncDisposable {
  readonly url: string;
  /** Lines that processes have logged, from the level `warn`. */
  readonly logged: string[] = [];
  readonly #ports: Readonly<Record<Slot, number>>;
  readonly #folder: string;
  readonly #postgres: PostgresServer;
  readonly #balancer: Haproxy;
  readonly #running = new Map<Slot, Program>();
  readonly #resources: AsyncDisposableStack;

  private constructor(
    ports: Readonly<Record<Slot, number>>,
    parts: { folder: string; postgres: PostgresServer; balancer: Haproxy },
    resources: AsyncDisposableStack,
  ) {
    this.#ports = ports;
    this.#folder = parts.folder;
    this.#postgres = parts.postgres;
    this.#balancer = parts.balancer;
    this.url = `http://127.0.0.1:${parts.balancer.port}`;
    this.#resources = resources;
  }

  /** Begins with the release in this folder. The scheduled episodes are published at these moments. */
  static async open(checkout: string, scheduledAt: readonly Date[]): Promise<UpgradeInstallation> {
    await using opened = new AsyncDisposableStack();
    const folder = opened.use(await makeTempFolder()).path;
    const postgres = opened.use(await PostgresServer.create());
    await postgres.query(`create database ${database}`);
    const ports = { first: await freePort(), second: await freePort(), worker: await freePort() };
    const port = await freePort();
    const balancer = opened.use(await Haproxy.balance(port, [ports.first, ports.second]));
    const parts = { folder, postgres, balancer };
    const installation = new UpgradeInstallation(ports, parts, opened.move());
    try {
      await installation.#seed(checkout, scheduledAt);
      for (const slot of ['first', 'second', 'worker'] as const)
        await installation.start(slot, checkout);
    } catch (error) {
      await installation[Symbol.asyncDispose]();
      throw error;
    }
    return installation;
  }

  async #seed(checkout: string, scheduledAt: readonly Date[]): Promise<void> {
    const later = {
      ...{ ref: 'later', owner: 'ana', slug: 'later', title: 'Later' },
      episodes: scheduledAt.map((at, n) => ({
        ...{ ref: `l${n}`, slug: `l${n}`, title: `Number ${n}`, status: 'scheduled' },
        ...{ scheduled_for: at.toISOString(), audio: { tone_seconds: 2 } },
      })),
    };
    const seed = { ...loadedSeed, podcasts: [...loadedSeed.podcasts, later] };
    await writeFile(join(this.#folder, 'seed.json'), JSON.stringify(seed));
    const { code, stderr } = await this.#run(checkout, ['seed', 'seed.json']).ended;
    if (code !== 0) throw new Error(stderr);
  }

  #run(checkout: string, argv: readonly string[], port = this.#ports.worker): Program {
    return startProgram(argv, {
      ...{ cwd: this.#folder, checkout },
      env: {
        ...{ PORT: String(port), BASE_URL: this.url, DATA_DIR: join(this.#folder, 'data') },
        ...{ DATABASE_URL: this.#postgres.urlOf(database), REDIS_URL: testRedisUrl },
        ...{ SECRET: 'x'.repeat(32), TRUST_PROXY: '1', PUBLIC_RATE_LIMIT: '0', WORKER: 'off' },
        ...{ STOP_DELAY: String(stopDelaySeconds), LOG_LEVEL: 'warn' },
      },
    });
  }

  /** Starts a process. Rejects with its log if it doesn't start. */
  async start(slot: Slot, checkout: string): Promise<void> {
    const port = this.#ports[slot];
    const program = this.#run(checkout, [slot === 'worker' ? 'worker' : 'serve'], port);
    await program.ready();
    this.#running.set(slot, program);
    if (slot === 'worker') return;
    await this.#balancer.resume(port);
    await waitFor(`${slot} behind the balancer`, () => this.#balancer.isUp(port));
  }

  /**
   * Sends SIGTERM. A `serve` process has STOP_DELAY; if its release doesn't know that, the balancer is told
   * before (`isDrained`).
   */
  async stop(slot: Slot, { isDrained = false } = {}): Promise<void> {
    const program = this.#running.get(slot);
    if (program === undefined) return;
    this.#running.delete(slot);
    if (isDrained && slot !== 'worker') {
      await this.#balancer.drain(this.#ports[slot]);
      await sleep(drainMs);
    }
    program.child.kill('SIGTERM');
    const { code, stderr } = await program.ended;
    if (code !== 0) this.logged.push(`${slot} ended with ${code}`);
    // That it isn't ready while it stops is what the balancer was to find.
    const isNews = (line: string) => line !== '' && !line.includes('"/readyz"');
    this.logged.push(...stderr.split('\n').filter(isNews));
  }

  async createLoad(): Promise<FailoverLoad> {
    const rows = await this.#postgres.query<{ id: string; slug: string }>(
      'select id, slug from episodes',
      database,
    );
    return await createFailoverLoad(this.url, new Map(rows.map(({ id, slug }) => [slug, id])), 1);
  }

  async query<Row extends Record<string, unknown>>(sql: string): Promise<readonly Row[]> {
    return await this.#postgres.query<Row>(sql, database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, ended } of this.#running.values()) {
      child.kill('SIGKILL');
      await ended;
    }
    await this.#resources.disposeAsync();
  }
}

/** Rejects after a minute. */
export async function waitFor(what: string, condition: () => Promise<boolean>): Promise<void> {
  const endAtMs = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > endAtMs) throw new Error(`${what}: not within a minute`);
    await sleep(100);
  }
}
