/** Keeps entries in memory and writes them in batches, so that no request waits for the write. */
export interface WriteBehind<Entry> extends AsyncDisposable {
  /** Returns at once. Merges the entry into a waiting one with the same key. */
  add(key: string, entry: Entry): void;
  /** Writes the entries that wait now, after any running flush. Never rejects. */
  flush(): Promise<void>;
  /** The number of entries that were dropped so far. */
  readonly droppedCount: number;
}

export interface WriteBehindOptions<Entry> {
  /** Stores the whole batch, or rejects and stores nothing. Calls never overlap. */
  write(batch: readonly Entry[]): Promise<void>;
  /** Combines two entries with the same key. */
  merge(earlier: Entry, later: Entry): Entry;
  readonly maxBatch: number;
  /** Counts waiting entries and those being written. Entries beyond this are dropped. */
  readonly maxEntries: number;
  /** The longest wait before the first attempt to write an entry. */
  readonly everyMs: number;
  /** An entry that could not be written in this time is dropped. */
  readonly maxAgeMs: number;
  /** The longest time that disposing takes. */
  readonly closeWithinMs: number;
  /** Called after a flush if it failed or if entries were dropped. */
  report(trouble: WriteBehindTrouble): void;
}

export interface WriteBehindTrouble {
  /** The error of `write`; undefined if it did not fail and entries were dropped for lack of room. */
  readonly error: unknown;
  /** The number of entries dropped since the last report. */
  readonly dropped: number;
  /** The number of entries that the next flush will write. */
  readonly waiting: number;
}

/**
 * Memory and time are bounded. A failed batch goes behind the other waiting entries, so one bad batch
 * does not block them. A flush stops at its first failure, so a missing database is asked only once.
 * A full queue drops new entries. Disposing tries once more to write everything, then drops the rest
 * and all later entries.
 */
export function createWriteBehind<Entry>(options: WriteBehindOptions<Entry>): WriteBehind<Entry> {
  return new Queue(options);
}

interface Waiting<Entry> {
  readonly key: string;
  readonly entry: Entry;
  /** When the earliest merged entry was added. */
  readonly sinceMs: number;
}

class Queue<Entry> implements WriteBehind<Entry> {
  readonly #options: WriteBehindOptions<Entry>;
  /** In writing order. */
  readonly #waiting = new Map<string, Waiting<Entry>>();
  #beingWritten: readonly Waiting<Entry>[] = [];
  #flushes = Promise.resolve();
  #isFlushing = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;
  #isClosed = false;
  #failure: unknown;
  #dropped = 0;
  #reported = 0;

  constructor(options: WriteBehindOptions<Entry>) {
    this.#options = options;
  }

  get droppedCount(): number {
    return this.#dropped;
  }

  add(key: string, entry: Entry): void {
    const { merge, maxEntries } = this.#options;
    const earlier = this.#waiting.get(key);
    const isFull = this.#waiting.size + this.#beingWritten.length >= maxEntries;
    if (this.#isClosing || (earlier === undefined && isFull)) {
      this.#dropped += 1;
      return;
    }
    const sinceMs = earlier?.sinceMs ?? performance.now();
    const merged = earlier === undefined ? entry : merge(earlier.entry, entry);
    this.#waiting.set(key, { key, entry: merged, sinceMs });
    this.#schedule();
  }

  flush(): Promise<void> {
    this.#flushes = this.#flushes.then(() => this.#writeWaiting());
    return this.#flushes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    const { promise: deadline, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.closeWithinMs);
    await Promise.race([this.flush(), deadline]);
    clearTimeout(timer);
    this.#isClosed = true;
    this.#dropped += this.#waiting.size + this.#beingWritten.length;
    this.#waiting.clear();
    this.#beingWritten = [];
    this.#report();
  }

  /** A running flush schedules the next one itself, so flushes do not pile up. */
  #schedule(): void {
    if (this.#isClosing || this.#isFlushing || this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => this.flush(), this.#options.everyMs).unref();
  }

  async #writeWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isFlushing = true;
    this.#failure = undefined;
    // Entries that are added or returned during this flush wait for the next one.
    let left = this.#waiting.size;
    while (left > 0 && this.#failure === undefined && !this.#isClosed) {
      const batch = this.#takeBatch(Math.min(left, this.#options.maxBatch));
      left -= batch.length;
      await this.#writeBatch(batch);
    }
    this.#isFlushing = false;
    if (!this.#isClosing) this.#report();
    this.#schedule();
  }

  async #writeBatch(batch: readonly Waiting<Entry>[]): Promise<void> {
    this.#beingWritten = batch;
    try {
      await this.#options.write(batch.map(({ entry }) => entry));
    } catch (error) {
      // After closing, this batch already counts as dropped.
      if (!this.#isClosed) this.#takeBack(batch);
      this.#failure = error ?? new Error('rejected without a reason');
    }
    this.#beingWritten = [];
  }

  #takeBatch(count: number): readonly Waiting<Entry>[] {
    const batch: Waiting<Entry>[] = [];
    for (const waiting of this.#waiting.values()) {
      if (batch.length === count) break;
      batch.push(waiting);
    }
    for (const { key } of batch) this.#waiting.delete(key);
    return batch;
  }

  #takeBack(batch: readonly Waiting<Entry>[]): void {
    const { maxAgeMs, merge } = this.#options;
    const oldestMs = performance.now() - maxAgeMs;
    for (const { key, entry, sinceMs } of batch) {
      if (sinceMs < oldestMs) {
        this.#dropped += 1;
        continue;
      }
      const later = this.#waiting.get(key);
      const merged = later === undefined ? entry : merge(entry, later.entry);
      this.#waiting.set(key, { key, entry: merged, sinceMs });
    }
  }

  #report(): void {
    const error = this.#failure;
    const dropped = this.#dropped - this.#reported;
    if (error === undefined && dropped === 0) return;
    this.#failure = undefined;
    this.#reported = this.#dropped;
    this.#options.report({ error, dropped, waiting: this.#waiting.size });
  }
}
