import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import { selectDelivered, subtractDelivered } from '../sums/sums.sql.ts';
import { type Merge, uniteWithStored } from './merge-receipts.ts';
import { neverCounts, type Receipt, withoutDownload } from './receipt.ts';
import type { StoredReceipt } from './receipts.sql.ts';

interface Left {
  readonly episodeId: string;
  readonly day: UtcDay;
  /** Downloads that were counted when the audio was sent, and that no late log has named since. */
  downloads: number;
  /** Downloads of logs that were taken for some of these. */
  found: number;
}

/**
 * Days that are over for good, as logs of these days see them. Nothing tells their listeners any
 * more, so a log of requests that were counted when the audio was sent would count them again. It
 * adds to an episode only what exceeds their number, which is never too much (0039).
 */
export class DeliveredDownloads {
  readonly #left: ReadonlyMap<string, Left>;

  private constructor(left: readonly Left[]) {
    this.#left = new Map(left.map((one) => [keyOf(one), one]));
  }

  /** For the episodes and days of receipts from logs of such days. Requires the lock of the sums. */
  static async read(db: Db, receipts: Iterable<Receipt>): Promise<DeliveredDownloads> {
    const late = new Map<string, Receipt>();
    for (const receipt of receipts)
      if (receipt.logBegunOn !== null) late.set(keyOf(receipt), receipt);
    if (late.size === 0) return new DeliveredDownloads([]);
    const rows = await selectDelivered(db, [...late.values()]);
    return new DeliveredDownloads(rows.map((row) => ({ ...row, found: 0 })));
  }

  /** The downloads of logs that were counted when the audio was sent. */
  get found(): number {
    return [...this.#left.values()].reduce((sum, { found }) => sum + found, 0);
  }

  /** As `uniteWithStored`; a listener's download that was counted before never counts. */
  get unite(): Merge {
    if (this.#left.size === 0) return uniteWithStored;
    return {
      changesOthers: false,
      merge: (stored, received) => this.#unite(stored, received),
    };
  }

  /** Call it before the sums change. */
  async save(db: Db): Promise<void> {
    const changed = [...this.#left.values()].filter(({ found }) => found > 0);
    if (changed.length > 0) await subtractDelivered(db, changed);
  }

  #unite(stored: readonly StoredReceipt[], received: readonly Receipt[]): readonly Receipt[] {
    const found = episodesOf(stored.filter(neverCounts));
    const counted = episodesOf(stored.filter(({ isCounted }) => isCounted));
    const others = received.filter(({ episodeId }) => !found.has(episodeId));
    const united = uniteWithStored.merge(stored, others);
    const taken = new Set<string>();
    for (const receipt of united) {
      const { episodeId, isCounted } = receipt;
      const isNew = isCounted && !counted.has(episodeId) && !taken.has(episodeId);
      if (isNew && receipt.logBegunOn !== null && this.#take(receipt)) taken.add(episodeId);
    }
    if (taken.size === 0) return united;
    return united.map((one) => (taken.has(one.episodeId) ? withoutDownload(one) : one));
  }

  #take(receipt: Receipt): boolean {
    const left = this.#left.get(keyOf(receipt));
    if (left === undefined || left.downloads === 0) return false;
    left.downloads -= 1;
    left.found += 1;
    return true;
  }
}

const keyOf = ({ episodeId, day }: Pick<Receipt, 'episodeId' | 'day'>) => `${episodeId} ${day}`;

const episodesOf = (receipts: readonly Receipt[]) =>
  new Set(receipts.map(({ episodeId }) => episodeId));
