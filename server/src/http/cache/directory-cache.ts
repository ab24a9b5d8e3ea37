import type { Context } from '../../domain/foundation/context.ts';
import type { Waiter, Waiters } from '../limits/waiters.ts';
import type { Payload } from '../responses/payload.ts';
import { PodcastCache } from './podcast-cache.ts';

/** What the cache below takes for the podcast of its entries. */
const allPodcasts = 'all';

/** Caches responses about all shows until any show changes. */
export class DirectoryCache {
  readonly #payloads: PodcastCache<Payload>;

  constructor(options: { maxBytes: number; nowMs: () => number }) {
    this.#payloads = new PodcastCache(options);
  }

  /**
   * `key`: of parsed values, because anybody can write the same URL in many ways. `compute` is given all who wait for
   * its result.
   */
  async get(
    { announcements: { freshness } }: Context,
    key: string,
    compute: (waiters: Waiters) => Promise<Payload>,
    waiter?: Waiter,
  ): Promise<Payload> {
    if (!freshness.isConfirmed()) await freshness.confirm();
    const build = async (waiters: Waiters) => {
      const value = await compute(waiters);
      return { podcastId: allPodcasts, value, validUntil: null, sizeBytes: value.totalBytes };
    };
    return (await this.#payloads.get(key, build, undefined, waiter)).value;
  }

  drop(): void {
    this.#payloads.drop(allPodcasts);
  }

  dropAll(): void {
    this.#payloads.dropAll();
  }
}
