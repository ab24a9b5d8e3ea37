import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ChangeReceiver } from './change-confirmer.ts';
import type { NotificationReceiver } from './change-listener.ts';
import type { ChangeListener, Changes, LocalChanges } from './changes.ts';
import type { Freshness } from './freshness.ts';
import { insertPodcastChange, type PodcastChange } from './podcast-changes.sql.ts';
import { afterTransaction, isFirstInTransaction } from './transaction.ts';

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
 * <job>'. Our own notifications are ignored, because they were delivered on commit.
 */
export class NotifiedChanges<Tables> implements Changes<Tables> {
  readonly freshness: Freshness;
  readonly #local: LocalChanges<Tables>;
  readonly #listener: ChangeSources['listener'];
  readonly #processId = randomBytes(9).toString('base64url');
  /** Changes that were delivered by NOTIFY and will be read again. */
  readonly #delivered = new Set<string>();

  constructor(
    local: LocalChanges<Tables>,
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
          if (!this.#delivered.delete(keyOf(change))) local.deliver(change.podcastId);
        },
        onGap: () => {
          this.#delivered.clear();
          local.deliverGap();
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
        onCommit: () => this.#remember({ xid, podcastId }),
        onUnknown: () => undefined,
      });
    }
    await this.#local.announce(db, podcastId);
  }

  async announceWork(db: Kysely<Tables> | Transaction<Tables>, job: string): Promise<void> {
    if (isFirstInTransaction(db, `work ${job}`)) {
      const payload = `${this.#processId} ${WORK} ${job}`;
      await sql`select pg_notify(${CHANGES_CHANNEL}, ${payload})`.execute(db);
    }
    await this.#local.announceWork(db, job);
  }

  subscribe(listener: ChangeListener): () => void {
    const unsubscribe = this.#local.subscribe(listener);
    this.#listener.start();
    return unsubscribe;
  }

  #receive(payload: string): void {
    const [process, first = '', second = ''] = payload.split(' ');
    if (process === this.#processId) return;
    if (first === WORK) {
      this.#local.deliverWork(second);
      return;
    }
    this.#remember({ xid: second, podcastId: first });
    this.#local.deliver(first);
  }

  /** A forgotten change is delivered twice, which is harmless. */
  #remember(change: PodcastChange): void {
    if (this.#delivered.size >= MOST_REMEMBERED) this.#delivered.clear();
    this.#delivered.add(keyOf(change));
  }
}

const keyOf = ({ xid, podcastId }: PodcastChange) => `${xid} ${podcastId}`;
