import { BackgroundTask } from '../../../../lib/background-task.ts';
import { readAhead } from '../../../../lib/read-ahead.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Differences } from '../sums/differences.ts';
import { type Reading, readStoredReceipts } from './read-stored-receipts.ts';
import { isSame, type Receipt, without } from './receipt.ts';
import { addReceipt, receiptKey } from './receipt-collector.ts';
import {
  copyReceipts,
  deleteReceipts,
  encodeReceipts,
  type StoredReceipt,
} from './receipts.sql.ts';

/** How stored and received receipts become those that are to be stored. */
export interface Merge {
  /** Whether stored receipts of an episode may change although none are received for it. */
  readonly changesOthers: boolean;
  /** Of a listener. Receipts that stay as they are stored must be the same objects. */
  merge(stored: readonly StoredReceipt[], received: readonly Receipt[]): readonly Receipt[];
}

/**
 * Stores what `merge` makes of the stored receipts and the received ones of each listener, and adds
 * what this changes to `differences`. Requires the lock of the sums. While the database reads and
 * writes, the receipts of others are merged.
 */
export async function mergeReceipts(
  db: Db,
  { day, listeners }: Pick<Reading, 'day' | 'listeners'>,
  { changesOthers, merge }: Merge,
  differences: Differences,
): Promise<void> {
  const maybeYield = createYielder();
  await using writing = new BackgroundTask();
  const reading = { day, listeners, changesOthers };
  for await (const parts of readAhead(readStoredReceipts(db, reading))) {
    const old: StoredReceipt[] = [];
    const added: Receipt[] = [];
    for (const { listener, stored, received, change, isLast } of parts) {
      const after = merge(stored, received);
      const downloads = differences.addReceipts(stored, after);
      change.before += downloads.before;
      change.after += downloads.after;
      if (isLast) differences.addListener(listener, change);
      for (const receipt of without(stored, after)) old.push(receipt);
      for (const receipt of without(after, stored)) added.push(receipt);
      const pause = maybeYield();
      if (pause !== undefined) await pause;
    }
    const rows = await encodeReceipts(added);
    await writing.start(async () => {
      await deleteReceipts(db, day, old);
      if (added.length > 0) await copyReceipts(db, rows);
    });
  }
  await writing.end();
}

/** Unites what is stored with what was received. */
export const uniteWithStored: Merge = {
  changesOthers: false,
  merge(stored, received) {
    if (stored.length === 0) return received;
    const united = new Map<string, Receipt>();
    for (const receipt of [...stored, ...received]) addReceipt(united, receipt);
    return [...united.values()];
  },
};

/** Replaces what is stored by what was received. */
export const replaceStored: Merge = {
  changesOthers: true,
  merge(stored, received) {
    if (stored.length === 0) return received;
    const old = new Map(stored.map((receipt) => [receiptKey(receipt), receipt]));
    return received.map((receipt) => {
      const same = old.get(receiptKey(receipt));
      return same !== undefined && isSame(same, receipt) ? same : receipt;
    });
  },
};
