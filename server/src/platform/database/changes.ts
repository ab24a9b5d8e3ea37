import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DatabaseLog } from './database-log.ts';
import { afterTransaction, isFirstInTransaction } from './transaction.ts';

export interface ChangeListener {
  /**
   * A commit, of this process or another, changed this podcast. Called before the `inTransaction`
   * that made it returns, when it was ours. Synchronous and quick; a throw is logged.
   */
  onChange(podcastId: string): void;
  /** As above: a commit left work to be done, by the job of this name. */
  onWork?(job: string): void;
  /** Changes may have been missed: whatever was remembered may be out of date. */
  onGap(): void;
}

/** How a commit tells this process and every other one what has changed, or waits to be done. */
export interface Changes<Tables> {
  /** Announces on commit, once in a transaction for each podcast; outside of one, at once. */
  announce(db: Kysely<Tables> | Transaction<Tables>, podcastId: string): Promise<void>;
  /** The same for work that waits. Nobody may hear it: whoever does the work also looks by itself. */
  announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void>;
  /** Returns how to end it. */
  subscribe(listener: ChangeListener): () => void;
}

/** Where announcements of other processes come from; started by the first subscription. */
export interface ChangeSource {
  start(): void;
}

export const CHANGES_CHANNEL = 'podstead_changes';
const WORK = 'work ';

/** This process's own listeners. On the embedded database there are no others. */
export class LocalChanges<Tables> implements Changes<Tables> {
  readonly #listeners = new Set<ChangeListener>();
  readonly #log: DatabaseLog;

  constructor(log: DatabaseLog) {
    this.#log = log;
  }

  async announce(db: Kysely<Tables> | Transaction<Tables>, podcastId: string): Promise<void> {
    afterTransaction(db, `podcast ${podcastId}`, {
      onCommit: () => this.deliver(podcastId),
      onUnknown: () => this.deliverGap(),
    });
  }

  async announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void> {
    const onCommit = () => this.deliverWork(job);
    afterTransaction(db, `work ${job}`, { onCommit, onUnknown: onCommit });
  }

  subscribe(listener: ChangeListener): () => void {
    // A wrapper, so that one object may subscribe twice and end each on its own.
    const own: ChangeListener = {
      onChange: (podcastId) => listener.onChange(podcastId),
      onWork: (job) => listener.onWork?.(job),
      onGap: () => listener.onGap(),
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

  #tell(call: (listener: ChangeListener) => void): void {
    for (const listener of [...this.#listeners]) {
      try {
        call(listener);
      } catch (error) {
        // The commit has happened; one broken listener must not make it look as if it had not.
        this.#log.error({ err: error }, 'a listener for changes failed');
      }
    }
  }
}

/**
 * Besides, tells the other processes, by a NOTIFY that is part of the very transaction. The payload
 * is '<process> <podcast>' or '<process> work <job>'; our own comes back to us too and is ignored,
 * since it was delivered with the commit.
 */
export class NotifiedChanges<Tables> implements Changes<Tables> {
  readonly #local: LocalChanges<Tables>;
  readonly #source: ChangeSource;
  readonly #processId: string;

  constructor(
    local: LocalChanges<Tables>,
    createSource: (receiver: { onPayload(payload: string): void; onGap(): void }) => ChangeSource,
  ) {
    this.#local = local;
    this.#processId = randomBytes(9).toString('base64url');
    this.#source = createSource({
      onPayload: (payload) => this.#receive(payload),
      onGap: () => this.#local.deliverGap(),
    });
  }

  async announce(db: Kysely<Tables> | Transaction<Tables>, podcastId: string): Promise<void> {
    await this.#notify(db, podcastId);
    await this.#local.announce(db, podcastId);
  }

  async announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void> {
    await this.#notify(db, `${WORK}${job}`);
    await this.#local.announceWork(db, job);
  }

  subscribe(listener: ChangeListener): () => void {
    const unsubscribe = this.#local.subscribe(listener);
    this.#source.start();
    return unsubscribe;
  }

  /** Once in a transaction for each text. */
  async #notify(db: Kysely<Tables> | Transaction<Tables>, text: string): Promise<void> {
    if (!isFirstInTransaction(db, `notify ${text}`)) return;
    const payload = `${this.#processId} ${text}`;
    await sql`select pg_notify(${CHANGES_CHANNEL}, ${payload})`.execute(db);
  }

  #receive(payload: string): void {
    const separator = payload.indexOf(' ');
    if (separator < 0 || payload.slice(0, separator) === this.#processId) return;
    const text = payload.slice(separator + 1);
    if (text.startsWith(WORK)) this.#local.deliverWork(text.slice(WORK.length));
    else this.#local.deliver(text);
  }
}
