import { BackgroundTask } from '../../../../lib/background-task.ts';
import { chunksOf } from '../../../../lib/chunks-of.ts';
import { readAhead } from '../../../../lib/read-ahead.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Change, Differences } from '../sums/differences.ts';
import { isSame, type Listener, type Receipt, without } from './receipt.ts';
import { addReceipt, type ListenerReceipts, receiptKey } from './receipt-collector.ts';
import {
  copyReceipts,
  deleteReceipts,
  encodeReceipts,
  hasOtherDownloads,
  type StoredReceipt,
  selectOtherEpisodes,
  selectReceipts,
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

/** What a listener has received, and what is stored of it: all, or that of some episodes. */
interface ListenerPart {
  readonly listener: Listener;
  readonly received: readonly Receipt[];
  readonly stored: readonly StoredReceipt[];
  /** Of the listener: its parts share this object, and the last one completes it. */
  readonly change: Change;
  readonly isLast: boolean;
}

interface Reading {
  readonly day: UtcDay;
  /** Each once. */
  readonly listeners: Iterable<ListenerReceipts>;
  /** Whether stored receipts of an episode may change although none are received for it. */
  readonly changesOthers: boolean;
}

const listenersAtOnce = 2_000;
/**
 * Bounds the memory for what is read: a receipt has up to 200 ranges. Nearly all listeners have a few
 * receipts, of one range.
 */
const receiptsAtOnce = 5_000;
/** To merge more of one listener would keep the event loop busy for long. */
const receiptsOfListenerAtOnce = 1_000;

/** Reads what is stored of listeners: many at once, or one with many receipts in several parts. */
async function* readStoredReceipts(db: Db, reading: Reading): AsyncGenerator<ListenerPart[]> {
  for (const some of chunksOf(reading.listeners, listenersAtOnce))
    yield* readListeners(db, reading, some);
}

/** Reads listeners at once if they have few receipts, otherwise in halves. */
async function* readListeners(
  db: Db,
  reading: Reading,
  some: readonly ListenerReceipts[],
): AsyncGenerator<ListenerPart[]> {
  const listeners = some.map(({ listener }) => listener);
  const limits = { atMostOfEach: receiptsOfListenerAtOnce + 1, atMost: receiptsAtOnce };
  const stored = await selectReceipts(db, reading.day, listeners, limits);
  if (stored === undefined) {
    const middle = some.length >>> 1;
    yield* readListeners(db, reading, some.slice(0, middle));
    yield* readListeners(db, reading, some.slice(middle));
    return;
  }
  const whole: ListenerPart[] = [];
  const large: ListenerReceipts[] = [];
  for (const [index, one] of some.entries()) {
    const kept = stored[index] ?? [];
    if (Math.max(kept.length, one.receipts.length) > receiptsOfListenerAtOnce) large.push(one);
    else whole.push(makePart(one, kept));
  }
  yield whole;
  for (const one of large) yield* readByEpisodes(db, reading, one);
}

function makePart(
  { listener, receipts }: ListenerReceipts,
  stored: readonly StoredReceipt[],
): ListenerPart {
  return { listener, received: receipts, stored, change: { before: 0, after: 0 }, isLast: true };
}

/** Reads what may change. A client may request each of a show's 100,000 episodes, and then one more. */
async function* readByEpisodes(
  db: Db,
  { day, changesOthers }: Reading,
  { listener, receipts }: ListenerReceipts,
): AsyncGenerator<ListenerPart[]> {
  const received = await groupByEpisode(receipts);
  const ids = [...received.keys()];
  const others = changesOthers ? await selectOtherEpisodes(db, day, listener, ids) : [];
  // Whether it is a listener is the question, not its number of downloads.
  const kept = !changesOthers && (await hasOtherDownloads(db, day, listener, ids)) ? 1 : 0;
  const change = { before: kept, after: kept };
  let left = ids.length + others.length;
  for (const episodeIds of chunksOf([...ids, ...others], receiptsOfListenerAtOnce)) {
    const [stored = []] = (await selectReceipts(db, day, [listener], { episodeIds })) ?? [];
    left -= episodeIds.length;
    const some = episodeIds.flatMap((id) => received.get(id) ?? []);
    yield [{ listener, received: some, stored, change, isLast: left === 0 }];
  }
}

async function groupByEpisode(receipts: readonly Receipt[]): Promise<Map<string, Receipt[]>> {
  const maybeYield = createYielder();
  const episodes = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const known = episodes.get(receipt.episodeId);
    if (known === undefined) episodes.set(receipt.episodeId, [receipt]);
    else known.push(receipt);
    await maybeYield();
  }
  return episodes;
}
