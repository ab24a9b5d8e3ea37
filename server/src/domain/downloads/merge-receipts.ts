import { BackgroundTask } from '../../lib/background-task.ts';
import { chunksOf } from '../../lib/chunks-of.ts';
import { readAhead } from '../../lib/read-ahead.ts';
import type { UtcDay } from '../../lib/utc-day.ts';
import type { Db } from '../database.ts';
import type { Differences } from './differences.ts';
import { isSame, type Receipt, without } from './receipt.ts';
import { addReceipt, type ListenerReceipts, receiptKey } from './receipt-collector.ts';
import {
  copyReceipts,
  deleteReceipts,
  encodeReceipts,
  type StoredReceipt,
  selectReceipts,
} from './receipts.sql.ts';

/**
 * Returns what is to be stored of a listener. Receipts that stay as they are stored must be the same
 * objects.
 */
export type Merge = (
  stored: readonly StoredReceipt[],
  received: readonly Receipt[],
) => readonly Receipt[];

interface Received {
  readonly day: UtcDay;
  /** Each once. */
  readonly listeners: Iterable<ListenerReceipts>;
  readonly merge: Merge;
}

const listenersAtOnce = 2_000;

/**
 * Stores what `merge` makes of the stored receipts and the received ones of each listener, and adds
 * what this changes to `differences`. Requires the lock of the sums. While the database reads and
 * writes, the receipts of others are merged.
 */
export async function mergeReceipts(
  db: Db,
  { day, listeners, merge }: Received,
  differences: Differences,
): Promise<void> {
  await using writing = new BackgroundTask();
  for await (const { some, stored } of readAhead(readStored(db, day, listeners))) {
    const old: StoredReceipt[] = [];
    const added: Receipt[] = [];
    for (const [index, { receipts }] of some.entries()) {
      const before = stored[index] ?? [];
      const after = merge(before, receipts);
      differences.add(before, after);
      for (const receipt of without(before, after)) old.push(receipt);
      for (const receipt of without(after, before)) added.push(receipt);
    }
    const rows = encodeReceipts(added);
    await writing.start(async () => {
      await deleteReceipts(db, day, old);
      if (added.length > 0) await copyReceipts(db, rows);
    });
  }
  await writing.end();
}

async function* readStored(db: Db, day: UtcDay, listeners: Iterable<ListenerReceipts>) {
  for (const some of chunksOf(listeners, listenersAtOnce)) {
    const wanted = some.map(({ listener }) => listener);
    yield { some, stored: await selectReceipts(db, day, wanted) };
  }
}

/** Unites what is stored with what was received. */
export const uniteWithStored: Merge = (stored, received) => {
  if (stored.length === 0) return received;
  const united = new Map<string, Receipt>();
  for (const receipt of [...stored, ...received]) addReceipt(united, receipt);
  return [...united.values()];
};

/** Replaces what is stored by what was received. */
export const replaceStored: Merge = (stored, received) => {
  if (stored.length === 0) return received;
  const old = new Map(stored.map((receipt) => [receiptKey(receipt), receipt]));
  return received.map((receipt) => {
    const same = old.get(receiptKey(receipt));
    return same !== undefined && isSame(same, receipt) ? same : receipt;
  });
};
