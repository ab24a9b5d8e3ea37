import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 100;

/** Lists a show again and again, and notes until when episodes were missing that were due. */
export class ScheduledWatch {
  requests = 0;
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #dueAtMs: ReadonlyMap<string, number>;
  readonly #lateMs = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** `l0`, `l1`, …: the slugs of the episodes that are due at these moments. */
  constructor(url: string, dueAt: readonly Date[]) {
    this.#url = `${url}/v1/podcasts/later/episodes?limit=50`;
    this.#dueAtMs = new Map(dueAt.map((at, n) => [`l${n}`, at.getTime()]));
    this.#running = this.#watch();
  }

  /** The longest time after its moment at which any process still didn't show a due episode. */
  get latestMs(): number {
    return Math.max(0, ...this.#lateMs.values());
  }

  /** How many were due. */
  get due(): number {
    return [...this.#dueAtMs.values()].filter((at) => at < Date.now() - pollMs).length;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const askedAtMs = Date.now();
      this.requests += 1;
      try {
        const response = await fetch(this.#url);
        if (response.status !== 200) throw new Error(`${response.status}`);
        const { data } = (await response.json()) as { data: { slug: string }[] };
        this.#compare(new Set(data.map(({ slug }) => slug)), askedAtMs);
      } catch (error) {
        this.failures.push((error as Error).message);
      }
      await sleep(pollMs);
    }
  }

  #compare(listed: ReadonlySet<string>, askedAtMs: number): void {
    for (const [slug, dueAtMs] of this.#dueAtMs) {
      if (dueAtMs > askedAtMs || listed.has(slug)) continue;
      this.#lateMs.set(slug, Math.max(this.#lateMs.get(slug) ?? 0, askedAtMs - dueAtMs));
    }
  }
}
