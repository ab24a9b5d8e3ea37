import { BackgroundTask } from '../../lib/background-task.ts';
import { chunksOf } from '../../lib/chunks-of.ts';
import { readAhead } from '../../lib/read-ahead.ts';
import { createYielder } from '../../lib/time-slices.ts';
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
 * Bounds the memory for what is read: a receipt has up to 200 ranges. Nearly all listeners have a few
 * receipts, of one range.
 */
const receiptsAtOnce = 5_000;
/** To merge more would keep the event loop busy for long. */
const receiptsMergedAtOnce = 1_000;

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
  const maybeYield = createYielder();
  await using writing = new BackgroundTask();
  for await (const { some, stored } of readAhead(readStored(db, day, listeners))) {
    const old: StoredReceipt[] = [];
    const added: Receipt[] = [];
    for (const [index, { listener, receipts }] of some.entries()) {
      const change = { before: 0, after: 0 };
      for (const [before, received] of partsOf(stored[index] ?? [], receipts)) {
        const after = merge(before, received);
        const downloads = differences.addReceipts(before, after);
        change.before += downloads.before;
        change.after += downloads.after;
        for (const receipt of without(before, after)) old.push(receipt);
        for (const receipt of without(after, before)) added.push(receipt);
        const pause = maybeYield();
        if (pause !== undefined) await pause;
      }
      differences.addListener(listener, change);
    }
    const rows = await encodeReceipts(added);
    await writing.start(async () => {
      await deleteReceipts(db, day, old);
      if (added.length > 0) await copyReceipts(db, rows);
    });
  }
  await writing.end();
}

interface Stored {
  readonly some: readonly ListenerReceipts[];
  /** In the order of `some`. */
  readonly stored: readonly StoredReceipt[][];
}

async function* readStored(
  db: Db,
  day: UtcDay,
  listeners: Iterable<ListenerReceipts>,
): AsyncGenerator<Stored> {
  for (const some of chunksOf(listeners, listenersAtOnce)) yield* readHalves(db, day, some);
}

/** Reads listeners at once if they have few receipts, otherwise in halves. One is read whole. */
async function* readHalves(
  db: Db,
  day: UtcDay,
  some: readonly ListenerReceipts[],
): AsyncGenerator<Stored> {
  const wanted = some.map(({ listener }) => listener);
  const atMost = some.length === 1 ? undefined : receiptsAtOnce;
  const stored = await selectReceipts(db, day, wanted, atMost);
  if (stored !== undefined) {
    yield { some, stored };
    return;
  }
  const middle = some.length >>> 1;
  yield* readHalves(db, day, some.slice(0, middle));
  yield* readHalves(db, day, some.slice(middle));
}

/** What is stored and received of a listener: each episode of a listener of many ones by itself. */
function* partsOf(
  stored: readonly StoredReceipt[],
  received: readonly Receipt[],
): Generator<[readonly StoredReceipt[], readonly Receipt[]]> {
  if (stored.length + received.length <= receiptsMergedAtOnce) {
    yield [stored, received];
    return;
  }
  const old = Map.groupBy(stored, ({ episodeId }) => episodeId);
  const more = Map.groupBy(received, ({ episodeId }) => episodeId);
  for (const [episodeId, some] of more) yield [old.get(episodeId) ?? [], some];
  for (const [episodeId, some] of old) if (!more.has(episodeId)) yield [some, []];
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
