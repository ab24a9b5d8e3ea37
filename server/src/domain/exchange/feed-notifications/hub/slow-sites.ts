import { LRUCache } from 'lru-cache';

/** As long as most of the places for deliveries aren't taken by it, a subscriber may take this long. */
const slowMs = 5_000;
const keptMs = 3_600_000;
/** All of them are in each claim. */
const most = 500;

/** The sites of subscribers whose last delivery took long, in this process (NOTIFY-13). */
export class SlowSites {
  readonly #sites = new LRUCache<string, true>({ max: most, ttl: keptMs });

  get names(): readonly string[] {
    return [...this.#sites.keys()];
  }

  note(site: string, tookMs: number): void {
    if (tookMs > slowMs) this.#sites.set(site, true);
    else this.#sites.delete(site);
  }
}
