import { LRUCache } from 'lru-cache';

/** One client's present window. Objects are used again for the client's next one. */
export interface LimitWindow {
  readonly key: string;
  endsAtMs: number;
  /** Requests let through here. */
  mine: number;
  /** Requests let through by other processes, as far as is known. */
  others: number;
  /** How many of `mine` have been told to the others. */
  told: number;
  /** Whether it waits for being told. */
  isWaiting: boolean;
}

const defaultWindowMs = 60_000;
const defaultMaxKeys = 200_000;

/**
 * The windows of all clients met lately. Beyond `maxKeys` the client not seen for longest is
 * forgotten and would begin again at nothing: under a flood from more networks than that the limit
 * gives way rather than memory, and whoever keeps knocking is the last to be forgotten.
 */
export class LimitWindows {
  readonly windowMs: number;
  readonly #windows: LRUCache<string, LimitWindow>;

  constructor(options: { readonly windowMs?: number; readonly maxKeys?: number }) {
    this.windowMs = options.windowMs ?? defaultWindowMs;
    this.#windows = new LRUCache({ max: options.maxKeys ?? defaultMaxKeys });
  }

  /** Counts one request; undefined when it is beyond the limit. */
  take(key: string, limit: number, nowMs: number): LimitWindow | undefined {
    const window = this.open(key, nowMs);
    if (window.mine + window.others >= limit) return undefined;
    window.mine += 1;
    return window;
  }

  /** The client's window, a new one if the last has ended. Allocates for new clients only. */
  open(key: string, nowMs: number): LimitWindow {
    const window = this.#windows.get(key) ?? this.#begin(key, nowMs);
    // A window that ends further off than two windows is from before the clock was set back.
    if (nowMs >= window.endsAtMs || window.endsAtMs - nowMs > 2 * this.windowMs) {
      window.endsAtMs = nowMs + this.windowMs;
      window.mine = 0;
      window.others = 0;
      window.told = 0;
    }
    return window;
  }

  #begin(key: string, nowMs: number): LimitWindow {
    const endsAtMs = nowMs + this.windowMs;
    const window = { key, endsAtMs, mine: 0, others: 0, told: 0, isWaiting: false };
    this.#windows.set(key, window);
    return window;
  }
}
