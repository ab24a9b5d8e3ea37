import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../fleet.ts';
import type { FaultWorld } from '../world.ts';

const pauseMs = 100;
const readWithinMs = 20_000;

/** Reads that caches should answer while something behind the service is away. */
export class Probe {
  readonly #fleet: Fleet;
  readonly #paths: readonly string[];
  readonly #over = new AbortController();
  readonly #running: Promise<void>;
  reads = 0;
  failed = 0;
  slowestMs = 0;
  #inARow = 0;
  readonly statuses = new Map<number, number>();

  constructor(fleet: Fleet, { heard }: FaultWorld) {
    this.#fleet = fleet;
    this.#paths = [
      ...[`/v1/podcasts/${heard.slug}`, `/v1/podcasts/${heard.slug}/episodes`],
      ...[`/feeds/${heard.slug}.xml`, `/listen/${heard.slug}`],
    ];
    this.#running = this.#run();
  }

  /** Forgets what was seen before. */
  begin(): void {
    this.reads = 0;
    this.failed = 0;
    this.slowestMs = 0;
    this.statuses.clear();
  }

  /** Resolves when every page has been read from every server, and is in its cache. */
  async untilWarm(): Promise<void> {
    const rounds = 2 * 2 * this.#paths.length;
    while (this.#inARow < rounds) await sleep(pauseMs);
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#over.signal.aborted; turn += 1) {
      const server = this.#fleet.pick(turn % 2);
      const path = this.#paths[(turn >>> 1) % this.#paths.length] ?? '/';
      const fromMs = performance.now();
      const signal = AbortSignal.timeout(readWithinMs);
      const status = await fetch(`${server?.url ?? ''}${path}`, { signal }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      this.reads += 1;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      this.#inARow = status === 200 ? this.#inARow + 1 : 0;
      if (status !== 200) this.failed += 1;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - fromMs);
      await sleep(pauseMs);
    }
  }
}
