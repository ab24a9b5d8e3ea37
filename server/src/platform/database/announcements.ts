import type { Kysely, Transaction } from 'kysely';
import { alwaysFresh, type Freshness } from './announcements/freshness.ts';
import type { DatabaseLog } from './database-log.ts';
import { afterTransaction } from './transaction.ts';

export interface ChangeListener {
  /**
   * A commit, of this process or another, changed this podcast. For our own commits it is called
   * before `inTransaction` returns. Must be synchronous and quick; errors are logged.
   */
  onChange(podcastId: string): void;
  /** Any podcast may have changed: all caches may be outdated. */
  onGap(): void;
  /** A commit left work for the job of this name. */
  onWork?(job: string): void;
  /** Announcements of work may have been missed. */
  onWorkGap?(): void;
}

/** How a commit announces changes and work to this and all other processes. */
export interface Announcements<Tables> {
  /** Announces on commit, once per transaction and podcast; outside a transaction, at once. */
  announce(db: Kysely<Tables> | Transaction<Tables>, podcastId: string): Promise<void>;
  /** The same for work. It may be missed while the database is away, so workers also poll. */
  announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void>;
  /**
   * Returns a function that ends the subscription. A listener that `isWaiting` learns of every change
   * within a second, even if a notification is lost; others ask `freshness` before they rely on it.
   */
  subscribe(listener: ChangeListener, options?: { readonly isWaiting?: boolean }): () => void;
  /** Whether listeners have received all changes. */
  readonly freshness: Freshness;
}

/** Listeners in this process. The embedded database has no others. */
export class LocalAnnouncements<Tables> implements Announcements<Tables> {
  readonly freshness = alwaysFresh;
  readonly #listeners = new Set<ChangeListener>();
  readonly #log: DatabaseLog;

  constructor(log: DatabaseLog) {
    this.#log = log;
  }

  async announce(db: Kysely<Tables> | Transaction<Tables>, podcastId: string): Promise<void> {
    afterTransaction(db, `podcast ${podcastId}`, {
      onCommit: () => this.deliver(podcastId),
      // If it is committed after all, its row or its notification is found later.
      onUnknown: () => this.deliver(podcastId),
    });
  }

  async announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void> {
    const onCommit = () => this.deliverWork(job);
    afterTransaction(db, `work ${job}`, { onCommit, onUnknown: onCommit });
  }

  subscribe(listener: ChangeListener): () => void {
    // A wrapper, so that one object can subscribe twice and end each subscription separately.
    const own: ChangeListener = {
      onChange: (podcastId) => listener.onChange(podcastId),
      onGap: () => listener.onGap(),
      onWork: (job) => listener.onWork?.(job),
      onWorkGap: () => listener.onWorkGap?.(),
    };
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  deliver(podcastId: string): void {
    this.#tell((listener) => listener.onChange(podcastId));
  }

  deliverWork(job: string): void {
    this.#tell((listener) => listener.onWork?.(job));
  }

  deliverGap(): void {
    this.#tell((listener) => listener.onGap());
  }

  deliverWorkGap(): void {
    this.#tell((listener) => listener.onWorkGap?.());
  }

  #tell(call: (listener: ChangeListener) => void): void {
    for (const listener of [...this.#listeners]) {
      try {
        call(listener);
      } catch (error) {
        // The commit has succeeded; a failing listener must not hide that.
        this.#log.error({ err: error }, 'a listener for changes failed');
      }
    }
  }
}
