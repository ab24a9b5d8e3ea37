import { LRUCache } from 'lru-cache';
import type { NetworkLimit } from '../../lib/client-network.ts';

/** A client's current window. Objects are reused for the next window. */
export interface LimitWindow {
  readonly key: string;
  endsAtMs: number;
  /** Requests allowed by this process. */
  mine: number;
  /** Requests allowed by other processes, as far as known. */
  others: number;
  /** How many of `mine` have been reported to the others. */
  told: number;
  /** Whether it waits to be reported. */
  isWaiting: boolean;
}

const defaultWindowMs = 60_000;
const defaultMaxKeys = 50_000;

/**
 * The windows of recent clients. Beyond `maxKeys`, the least recently seen client is dropped and
 * starts over. Under a flood from more networks than that, the limit gives way rather than memory,
 * and persistent clients are dropped last.
 */
export class LimitWindows {
  readonly windowMs: number;
  readonly #windows: LRUCache<string, LimitWindow>;

  constructor(options: { readonly windowMs?: number; readonly maxKeys?: number }) {
    this.windowMs = options.windowMs ?? defaultWindowMs;
    // By size rather than `max`, for which the cache would preallocate all memory.
    const maxSize = options.maxKeys ?? defaultMaxKeys;
    this.#windows = new LRUCache({ maxSize, sizeCalculation: () => 1 });
  }

  /** Counts a request under each limit; undefined, and not counted, if it exceeds one of them. */
  consume(limits: readonly NetworkLimit[], nowMs: number): readonly LimitWindow[] | undefined {
    const windows: LimitWindow[] = [];
    // The largest first: one that is used up begins no windows of ever new networks.
    for (const { key, most } of limits.toReversed()) {
      const window = this.open(key, nowMs);
      if (window.mine + window.others >= most) return undefined;
      windows.push(window);
    }
    for (const window of windows) window.mine += 1;
    return windows;
  }

  /** Whether `consume` would return undefined. Begins no window. */
  isUsedUp(limits: readonly NetworkLimit[], nowMs: number): boolean {
    return limits.some(({ key, most }) => {
      const window = this.#windows.peek(key);
      if (window === undefined || this.#hasEnded(window, nowMs)) return false;
      return window.mine + window.others >= most;
    });
  }

  /** The client's window; a new one if the last has ended. Allocates for new clients only. */
  open(key: string, nowMs: number): LimitWindow {
    const window = this.#windows.get(key) ?? this.#begin(key, nowMs);
    if (this.#hasEnded(window, nowMs)) {
      window.endsAtMs = nowMs + this.windowMs;
      window.mine = 0;
      window.others = 0;
      window.told = 0;
    }
    return window;
  }

  /** A window that ends more than two windows from now is from before the clock was set back. */
  #hasEnded({ endsAtMs }: LimitWindow, nowMs: number): boolean {
    return nowMs >= endsAtMs || endsAtMs - nowMs > 2 * this.windowMs;
  }

  #begin(key: string, nowMs: number): LimitWindow {
    const endsAtMs = nowMs + this.windowMs;
    const window = { key, endsAtMs, mine: 0, others: 0, told: 0, isWaiting: false };
    this.#windows.set(key, window);
    return window;
  }
}
