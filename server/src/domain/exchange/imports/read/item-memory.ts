import { getHeapStatistics } from 'node:v8';

const MB = 1_000_000;
/** An import that needs so little never waits. Few run at once, so all of them need little. */
const freeBytes = 16 * MB;
const heapMb = Math.floor(getHeapStatistics().heap_size_limit / MB);
const mostByDefault = Math.min(400, Math.floor(heapMb / 3)) * MB;

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

export interface TakeOptions {
  /** Undefined for a dry run that is not recorded. */
  readonly importId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called if other imports have the memory that this one needs. */
  readonly onWait?: () => void;
}

/**
 * The memory that the items of all imports in this process may have together. An import takes what it
 * needs at once, so no two of them wait for each other.
 */
export class ItemMemory {
  readonly mostBytes: number;
  readonly #freeBytes: number;
  readonly #waiting: Waiting[] = [];
  /** By import id, the time since when. */
  readonly #holders = new Map<string, number>();
  #takenBytes = 0;

  constructor(options: { readonly mostBytes?: number; readonly freeBytes?: number } = {}) {
    this.mostBytes = options.mostBytes ?? mostByDefault;
    this.#freeBytes = options.freeBytes ?? freeBytes;
  }

  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** How long this import has had its memory; undefined: it has none. */
  heldMs(importId: string): number | undefined {
    const sinceMs = this.#holders.get(importId);
    return sinceMs === undefined ? undefined : performance.now() - sinceMs;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes at most `mostBytes` until it is disposed. Waits until others release enough, or rejects. */
  async take(bytes: number, { importId, signal, onWait }: TakeOptions): Promise<Disposable> {
    signal?.throwIfAborted();
    const counted = bytes <= this.#freeBytes ? 0 : bytes;
    const mustWait = counted > 0 && (this.#waiting.length > 0 || !this.#fits(counted));
    if (mustWait) {
      onWait?.();
      await this.#wait(counted, signal);
    } else this.#takenBytes += counted;
    if (importId !== undefined && counted > 0) this.#holders.set(importId, performance.now());
    let held = counted;
    return {
      [Symbol.dispose]: () => {
        if (importId !== undefined) this.#holders.delete(importId);
        this.#takenBytes -= held;
        held = 0;
        this.#beginNext();
      },
    };
  }

  async #wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, begin: resolve };
    const stop = () => {
      const at = this.#waiting.indexOf(waiting);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal?.reason);
      this.#beginNext();
    };
    this.#waiting.push(waiting);
    signal?.addEventListener('abort', stop);
    await promise.finally(() => signal?.removeEventListener('abort', stop));
  }

  /** In the order in which they came: a large import waits only for those before it. */
  #beginNext(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || !this.#fits(next.bytes)) return;
      this.#waiting.shift();
      this.#takenBytes += next.bytes;
      next.begin();
    }
  }

  #fits(bytes: number): boolean {
    return this.#takenBytes + bytes <= this.mostBytes;
  }
}
