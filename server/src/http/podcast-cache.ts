import { LRUCache } from 'lru-cache';

/** What a computation found: a value that shows one podcast, and how long it can be true. */
export interface Computed<V> {
  readonly podcastId: string;
  readonly value: V;
  /** The next publication: from then on the value is another one. */
  readonly validUntil: Date | null;
  readonly sizeBytes: number;
  /** Asked when the computation is done: false, and what it was computed from has changed. */
  readonly isCurrent?: () => boolean;
}

/** A kept value. Whoever holds one asks `isLive` before using it again. */
export class Entry<V> {
  readonly podcastId: string;
  readonly value: V;
  readonly #validFromMs: number;
  readonly #validUntilMs: number;
  #dropped = false;

  /** Computed at `validFromMs`: a clock set back to before may stand before a publication too. */
  constructor(computed: Computed<V>, validFromMs: number) {
    this.podcastId = computed.podcastId;
    this.value = computed.value;
    this.#validFromMs = validFromMs;
    this.#validUntilMs = computed.validUntil?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  isLive(nowMs: number): boolean {
    return !this.#dropped && nowMs >= this.#validFromMs && nowMs < this.#validUntilMs;
  }

  drop(): void {
    this.#dropped = true;
  }
}

interface Flight<V> {
  readonly changed: Set<string>;
  everythingChanged: boolean;
  readonly startedMs: number;
  readonly result: Promise<Entry<V>>;
}

/**
 * Keeps what was computed of podcasts until the podcast changes or its next episode comes out.
 * Readers waiting for the same thing share one computation. A change that arrives while something
 * is computed wins: the result is given to those who asked before, and not kept.
 */
export class PodcastCache<V> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #keysByPodcast = new Map<string, Set<string>>();
  readonly #flights = new Map<string, Flight<V>>();
  readonly #underWay = new Set<Flight<V>>();
  readonly #nowMs: () => number;

  constructor(options: { maxBytes: number; nowMs: () => number }) {
    this.#nowMs = options.nowMs;
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Math.floor(options.maxBytes / 2),
      dispose: (entry, key) => this.#purge(entry, key),
    });
  }

  async get(key: string, compute: () => Promise<Computed<V>>): Promise<Entry<V>> {
    const kept = this.peek(key);
    if (kept !== undefined) return kept;
    const flight = this.#flights.get(key) ?? this.#start(key, compute);
    return flight.result;
  }

  /** What is kept and still true. */
  peek(key: string): Entry<V> | undefined {
    const kept = this.#entries.get(key);
    return kept?.isLive(this.#nowMs()) === true ? kept : undefined;
  }

  /** Neither kept nor shared: of what is known to be out of date. */
  async compute(compute: () => Promise<Computed<V>>): Promise<Entry<V>> {
    const entry = new Entry(await compute(), this.#nowMs());
    entry.drop();
    return entry;
  }

  drop(podcastId: string): void {
    for (const flight of this.#underWay) flight.changed.add(podcastId);
    // Whoever asks from now on must not join a computation that may have read the old state.
    this.#flights.clear();
    for (const key of this.#keysByPodcast.get(podcastId) ?? []) this.#entries.delete(key);
  }

  dropAll(): void {
    for (const flight of this.#underWay) flight.everythingChanged = true;
    this.#flights.clear();
    this.#entries.clear();
  }

  #start(key: string, compute: () => Promise<Computed<V>>): Flight<V> {
    const flight: Flight<V> = {
      changed: new Set(),
      everythingChanged: false,
      startedMs: this.#nowMs(),
      result: compute()
        .then((computed) => this.#keep(key, flight, computed))
        .finally(() => {
          this.#underWay.delete(flight);
          if (this.#flights.get(key) === flight) this.#flights.delete(key);
        }),
    };
    this.#underWay.add(flight);
    this.#flights.set(key, flight);
    return flight;
  }

  #keep(key: string, flight: Flight<V>, computed: Computed<V>): Entry<V> {
    const entry = new Entry(computed, Math.max(flight.startedMs, this.#nowMs()));
    const stale = flight.everythingChanged || flight.changed.has(computed.podcastId);
    if (stale || computed.isCurrent?.() === false) {
      entry.drop();
      return entry;
    }
    this.#entries.set(key, entry, { size: Math.max(1, computed.sizeBytes) });
    if (this.#entries.has(key)) {
      const keys = this.#keysByPodcast.get(computed.podcastId) ?? new Set();
      this.#keysByPodcast.set(computed.podcastId, keys.add(key));
    }
    return entry;
  }

  #purge(entry: Entry<V>, key: string): void {
    entry.drop();
    const keys = this.#keysByPodcast.get(entry.podcastId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByPodcast.delete(entry.podcastId);
  }
}
