/** An episode to listen to, with all that is needed to show and play it. */
export interface Entry {
  readonly id: string;
  /** UUID of its show. */
  readonly podcast: string;
  readonly title: string;
  readonly show: string;
  /** `#rrggbb`, of its show's player. */
  readonly color: string;
}

const fields = ['id', 'podcast', 'title', 'show', 'color'] as const;

/** Other tabs and earlier releases write there, too. */
export function tryReadEntry(stored: unknown): Entry | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const entry = stored as Record<string, unknown>;
  return fields.every((name) => typeof entry[name] === 'string')
    ? (Object.fromEntries(fields.map((name) => [name, entry[name]])) as unknown as Entry)
    : undefined;
}

const key = 'podstead-queue';
const mostEntries = 100;

interface Stored {
  readonly entries: readonly Entry[];
  /** Whether the next episode follows on its own. */
  readonly continues: boolean;
}

/**
 * The listener's queue on this device. Every call reads it, because all tabs share it. Without storage,
 * or if that is full, it lasts as long as the page.
 */
export class Queue {
  #kept: Stored = { entries: [], continues: true };
  #isStored = true;

  get entries(): readonly Entry[] {
    return this.#read().entries;
  }

  get continues(): boolean {
    return this.#read().continues;
  }

  set continues(continues: boolean) {
    this.#write({ ...this.#read(), continues });
  }

  has(id: string): boolean {
    return this.entries.some((entry) => entry.id === id);
  }

  /** At its end, once. */
  add(entry: Entry): void {
    if (!this.has(entry.id)) this.#set([...this.entries, entry].slice(-mostEntries));
  }

  remove(id: string): void {
    this.#set(this.entries.filter((entry) => entry.id !== id));
  }

  clear(): void {
    this.#set([]);
  }

  /** By one place, up (-1) or down (1). Returns its new place, from 0. */
  move(id: string, by: 1 | -1): number {
    const entries = [...this.entries];
    const from = entries.findIndex((entry) => entry.id === id);
    const to = Math.max(0, Math.min(entries.length - 1, from + by));
    entries.splice(to, 0, ...entries.splice(from, 1));
    if (from >= 0) this.#set(entries);
    return to;
  }

  /** Takes out the first. */
  shift(): Entry | undefined {
    const [first] = this.entries;
    if (first) this.remove(first.id);
    return first;
  }

  #set(entries: readonly Entry[]): void {
    this.#write({ ...this.#read(), entries });
  }

  #read(): Stored {
    const stored = readStored('localStorage', key) as Partial<Stored> | undefined;
    if (!stored || !this.#isStored) return this.#kept;
    const entries = Array.isArray(stored.entries) ? stored.entries : [];
    return {
      entries: entries.flatMap((entry) => tryReadEntry(entry) ?? []).slice(0, mostEntries),
      continues: stored.continues !== false,
    };
  }

  #write(stored: Stored): void {
    this.#kept = stored;
    this.#isStored = store('localStorage', key, stored);
  }
}

type Area = 'localStorage' | 'sessionStorage';

/** Undefined if there is nothing usable, or no storage. */
export function readStored(area: Area, name: string): object | undefined {
  try {
    const stored: unknown = JSON.parse(globalThis[area].getItem(name) ?? 'null');
    return typeof stored === 'object' && stored !== null ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` removes it. False: the storage is full or not allowed. */
export function store(area: Area, name: string, value: object | undefined): boolean {
  try {
    if (value === undefined) globalThis[area].removeItem(name);
    else globalThis[area].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
