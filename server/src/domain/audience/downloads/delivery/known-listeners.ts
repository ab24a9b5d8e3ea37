import { LRUCache } from 'lru-cache';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { ObservedRequest } from '../observed-request.ts';
import type { HiddenClient } from '../to-audio-request.ts';

const mostListeners = 4_000;
const longestKeyChars = 700;

/**
 * The hashes and places of the listeners of one day, only in memory, so that a player that requests
 * many ranges is hashed and located once. The keys contain addresses, so all are dropped when the
 * day ends.
 */
export class KnownListeners {
  readonly #known = new LRUCache<string, HiddenClient>({
    maxSize: mostListeners,
    sizeCalculation: () => 1,
  });
  #day: UtcDay | undefined;

  find(day: UtcDay, request: ObservedRequest): HiddenClient | undefined {
    return day === this.#day ? this.#known.get(keyOf(request)) : undefined;
  }

  add(day: UtcDay, request: ObservedRequest, found: HiddenClient): void {
    // A response that continues after midnight belongs to the day before.
    if (this.#day !== undefined && day < this.#day) return;
    this.keepOnly(day);
    this.#day = day;
    const key = keyOf(request);
    if (key.length <= longestKeyChars) this.#known.set(key, found);
  }

  /** Drops the listeners of any other day. */
  keepOnly(day: UtcDay): void {
    if (day !== this.#day) this.#known.clear();
  }
}

function keyOf({ address, userAgent }: ObservedRequest): string {
  return `${address}\0${userAgent ?? ''}`;
}
