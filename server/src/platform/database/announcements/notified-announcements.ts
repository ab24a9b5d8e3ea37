import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Announcements, ChangeListener, LocalAnnouncements } from '../announcements.ts';
import { afterTransaction, isFirstInTransaction } from '../transaction.ts';
import type { ChangeReceiver } from './change-confirmer.ts';
import type { NotificationReceiver } from './change-listener.ts';
import type { Freshness } from './freshness.ts';
import { insertAnnouncedWork, insertPodcastChange } from './podcast-changes.sql.ts';

export const CHANGES_CHANNEL = 'podstead_changes';

/** How this process learns of changes by others. */
interface ChangeSources {
  /** Immediate, while its connection lasts; started by the first subscription. */
  readonly listener: { start(): void };
  /** Reliable, by asking. */
  readonly freshness: Freshness;
}

const WORK = 'work';
const MOST_REMEMBERED = 10_000;

/**
 * Changes on a database that several processes use. Each is announced by a NOTIFY and by a row,
 * both in the same transaction: the NOTIFY is immediate but may get lost with a connection, the row
 * can be read at any time. The payload is '<process> <podcast> <transaction>' or '<process> work
 * <job> <transaction>'. Our own notifications are ignored, because they were delivered on commit.
 */
export class NotifiedAnnouncements<Tables> implements Announcements<Tables> {
  readonly freshness: Freshness;
  readonly #local: LocalAnnouncements<Tables>;
  readonly #listener: ChangeSources['listener'];
  readonly #processId = randomBytes(9).toString('base64url');
  /** Changes and work that were delivered by NOTIFY and will be read again. */
  readonly #delivered = new Set<string>();

  constructor(
    local: LocalAnnouncements<Tables>,
    createSources: (receiver: {
      readonly notifications: NotificationReceiver;
      readonly changes: ChangeReceiver;
    }) => ChangeSources,
  ) {
    this.#local = local;
    const sources = createSources({
      notifications: {
        onPayload: (payload) => this.#receive(payload),
        onGap: () => local.deliverWorkGap(),
      },
      changes: {
        onChange: (change) => {
          const key = keyOf(change.xid, change.podcastId);
          if (!this.#delivered.delete(key)) local.deliver(change.podcastId);
        },
        onWork: ({ xid, job }) => {
          if (!this.#delivered.delete(keyOf(xid, job))) local.deliverWork(job);
        },
        onGap: () => {
          this.#delivered.clear();
          local.deliverGap();
          local.deliverWorkGap();
        },
      },
    });
    this.#listener = sources.listener;
    this.freshness = sources.freshness;
  }

  async announce(db: Kysely<Tables> | Transaction<Tables>, podcastId: string): Promise<void> {
    if (isFirstInTransaction(db, `change ${podcastId}`)) {
      const payload = `${this.#processId} ${podcastId}`;
      const message = { channel: CHANGES_CHANNEL, payload };
      const xid = await insertPodcastChange(db, podcastId, message);
      afterTransaction(db, `delivered ${podcastId}`, {
        onCommit: () => this.#remember(xid, podcastId),
        onUnknown: () => undefined,
      });
    }
    await this.#local.announce(db, podcastId);
  }

  async announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void> {
    if (isFirstInTransaction(db, `work ${job}`)) {
      const payload = `${this.#processId} ${WORK} ${job}`;
      const message = { channel: CHANGES_CHANNEL, payload };
      const xid = await insertAnnouncedWork(db, job, message);
      afterTransaction(db, `delivered ${job}`, {
        onCommit: () => this.#remember(xid, job),
        onUnknown: () => undefined,
      });
    }
    await this.#local.announceWork(db, job);
  }

  subscribe(listener: ChangeListener, { isWaiting = false } = {}): () => void {
    const unsubscribe = this.#local.subscribe(listener);
    this.#listener.start();
    const stopAsking = isWaiting ? this.freshness.keepAsking() : undefined;
    return () => {
      unsubscribe();
      stopAsking?.();
    };
  }

  #receive(payload: string): void {
    const [process, first = '', second = '', third = ''] = payload.split(' ');
    if (process === this.#processId) return;
    if (first === WORK) {
      this.#remember(third, second);
      this.#local.deliverWork(second);
      return;
    }
    this.#remember(second, first);
    this.#local.deliver(first);
  }

  /** A forgotten change is delivered twice, which is harmless. */
  #remember(xid: string, what: string): void {
    if (this.#delivered.size >= MOST_REMEMBERED) this.#delivered.clear();
    this.#delivered.add(keyOf(xid, what));
  }
}

const keyOf = (xid: string, what: string) => `${xid} ${what}`;
