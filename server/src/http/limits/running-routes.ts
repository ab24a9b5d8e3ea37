import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Counts the routes that are at work. They continue when their client has left, so a server without
 * connections may still need its database and its stores.
 */
export class RunningRoutes {
  #count = 0;
  #onEnd: (() => void) | undefined;

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#onEnd?.();
    }
  }

  /** Resolves when none is at work, or after `mostMs`. Call it when no new ones can begin. */
  async ended(mostMs: number): Promise<void> {
    if (this.#count === 0) return;
    const impatience = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnd = resolve;
    const late = sleep(mostMs, undefined, { signal: impatience.signal });
    await Promise.race([promise, late]).finally(() => impatience.abort());
  }
}
