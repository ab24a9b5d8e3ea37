import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain/foundation/errors.ts';
import { type Waiter, Waiters } from '../limits/waiters.ts';
import { Changes } from './changes.ts';

/** The result of a computation: a value about one podcast, and until when it can be valid. */
export interface Computed<V> {
  readonly podcastId: string;
  readonly value: V;
  /** The next publication, which changes the value. */
  readonly validUntil: Date | null;
  readonly sizeBytes: number;
  /** Called after the computation; false if its source has since changed. */
  readonly isCurrent?: () => boolean;
}

/** How often a cache is told that an entry is in use. */
const usedEveryMs = 1_000;

/** What the cache gives its entries. */
interface Source {
  /** The count of changes before the value was read. */
  readonly changeCount?: number;
  /** Tells the cache that the entry is in use. */
  readonly onUse?: () => void;
}

/** A cached value. Check `isLive` before each use. */
export class Entry<V> {
  readonly podcastId: string;
  readonly value: V;
  /** The count of changes before it was read. */
  readonly changeCount: number;
  readonly #validFromMs: number;
  readonly #validUntilMs: number;
  readonly #onUse: (() => void) | undefined;
  #usedMs: number;
  #dropped = false;

  /** Not valid before `validFromMs`: if the clock is set back, an episode may not be public yet. */
  constructor(computed: Computed<V>, validFromMs: number, { changeCount = 0, onUse }: Source = {}) {
    this.podcastId = computed.podcastId;
    this.value = computed.value;
    this.#validFromMs = validFromMs;
    this.#validUntilMs = computed.validUntil?.getTime() ?? Number.POSITIVE_INFINITY;
    this.changeCount = changeCount;
    this.#onUse = onUse;
    this.#usedMs = validFromMs;
  }

  /** Called by whoever uses the value without asking the cache, which keeps what is in use. */
  use(nowMs: number): void {
    if (nowMs - this.#usedMs < usedEveryMs) return;
    this.#usedMs = nowMs;
    this.#onUse?.();
  }

  isLive(nowMs: number): boolean {
    return !this.#dropped && this.isInTime(nowMs);
  }

  /** Whether it is valid at that time if nothing has changed. */
  isInTime(nowMs: number): boolean {
    return nowMs >= this.#validFromMs && nowMs < this.#validUntilMs;
  }

  drop(): void {
    this.#dropped = true;
  }
}

interface Flight<V> {
  /** The count of changes at its begin. */
  readonly changeCount: number;
  /** False if something has changed since it began. */
  isJoinable: boolean;
  readonly waiters: Waiters;
  readonly startedMs: number;
  readonly result: Promise<Entry<V>>;
}

/** The source of a computation has changed before its begin: read it again. */
export class SourceChangedError extends Error {}

/**
 * Caches values about podcasts until the podcast changes or its next episode is published.
 * Concurrent readers of a value share one computation. If the podcast changes during a computation,
 * the result goes to the waiting readers and is not cached. Later readers then wait for its end, so
 * that a large value is not computed many times at once.
 */
export class PodcastCache<V> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #keysByPodcast = new Map<string, Set<string>>();
  /** At most one for each key. */
  readonly #flights = new Map<string, Flight<V>>();
  readonly #changes = new Changes();
  readonly #nowMs: () => number;

  /** A value of more than half of `maxBytes` is not kept. */
  constructor(options: { maxBytes: number; nowMs: () => number }) {
    this.#nowMs = options.nowMs;
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Math.floor(options.maxBytes / 2),
      dispose: (entry, key) => this.#purge(entry, key),
    });
  }

  /**
   * `isCurrent` says whether what `compute` uses has not changed since it was read. Throws
   * SourceChangedError if it has. `compute` is given all who wait. If it is refused for the sake of somebody else, the
   * caller tries again.
   */
  async get(
    key: string,
    compute: (waiters: Waiters) => Promise<Computed<V>>,
    isCurrent: () => boolean = () => true,
    waiter: Waiter = {},
  ): Promise<Entry<V>> {
    for (let mayTryAgain = true; ; ) {
      waiter.leaving?.throwIfAborted();
      // A caller must not join a computation that may have read an older state than its own.
      if (!isCurrent()) throw new SourceChangedError();
      const kept = this.peek(key);
      if (kept !== undefined) return kept;
      const flight = this.#flights.get(key);
      if (flight === undefined) return this.#start(key, compute, waiter);
      if (!flight.isJoinable || flight.waiters.left?.aborted) {
        flight.waiters.hasten(waiter.network);
        await flight.result.catch(() => undefined);
        continue;
      }
      flight.waiters.join(waiter);
      try {
        return await flight.result;
      } catch (error) {
        if (!mayTryAgain || !isRefusal(error)) throw error;
        mayTryAgain = false;
      }
    }
  }

  /** Returns a cached value that is still live. */
  peek(key: string): Entry<V> | undefined {
    const kept = this.#entries.get(key);
    return kept?.isLive(this.#nowMs()) === true ? kept : undefined;
  }

  /** False if its podcast has changed since it was read, also if it is no longer kept, or never was. */
  isCurrent(entry: Entry<V>): boolean {
    const nowMs = this.#nowMs();
    // A change drops what is kept. Only for the rest, changes may have been forgotten.
    if (entry.isLive(nowMs)) return true;
    const { podcastId, changeCount } = entry;
    return entry.isInTime(nowMs) && !this.#changes.hasChanged(podcastId, changeCount);
  }

  drop(podcastId: string): void {
    this.#changes.note(podcastId);
    // It is not known yet which podcasts they are about.
    for (const flight of this.#flights.values()) flight.isJoinable = false;
    for (const key of this.#keysByPodcast.get(podcastId) ?? []) this.#entries.delete(key);
  }

  dropAll(): void {
    this.#changes.noteAll();
    for (const flight of this.#flights.values()) flight.isJoinable = false;
    this.#entries.clear();
  }

  #start(
    key: string,
    compute: (waiters: Waiters) => Promise<Computed<V>>,
    waiter: Waiter,
  ): Promise<Entry<V>> {
    const waiters = Waiters.shared(waiter);
    const flight: Flight<V> = {
      changeCount: this.#changes.count,
      isJoinable: true,
      waiters,
      startedMs: this.#nowMs(),
      result: compute(waiters)
        .then((computed) => this.#keep(key, flight, computed))
        .finally(() => this.#flights.delete(key)),
    };
    this.#flights.set(key, flight);
    return flight.result;
  }

  #keep(key: string, flight: Flight<V>, computed: Computed<V>): Entry<V> {
    const onUse = () => void this.#entries.get(key);
    const { changeCount, startedMs } = flight;
    const entry = new Entry(computed, Math.max(startedMs, this.#nowMs()), { changeCount, onUse });
    const isStale = this.#changes.hasChanged(computed.podcastId, changeCount);
    if (isStale || computed.isCurrent?.() === false) {
      entry.drop();
      return entry;
    }
    this.#entries.set(key, entry, { size: Math.max(1, computed.sizeBytes) });
    if (!this.#entries.has(key)) {
      // It is too large to keep. Nobody would tell it of changes.
      entry.drop();
      return entry;
    }
    const keys = this.#keysByPodcast.get(computed.podcastId) ?? new Set();
    this.#keysByPodcast.set(computed.podcastId, keys.add(key));
    return entry;
  }

  #purge(entry: Entry<V>, key: string): void {
    entry.drop();
    const keys = this.#keysByPodcast.get(entry.podcastId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByPodcast.delete(entry.podcastId);
  }
}

/** What has failed, and not only found no turn, has a cause. */
const isRefusal = (error: unknown) =>
  error instanceof DomainError && error.kind === 'service_unavailable' && error.cause === undefined;
