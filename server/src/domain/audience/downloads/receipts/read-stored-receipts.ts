import { chunksOf } from '../../../../lib/chunks-of.ts';
import { createYielder } from '../../../../lib/time-slices.ts';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import type { Db } from '../../../foundation/database.ts';
import type { Change } from '../sums/differences.ts';
import type { Listener, Receipt } from './receipt.ts';
import type { ListenerReceipts } from './receipt-collector.ts';
import {
  hasOtherDownloads,
  type StoredReceipt,
  selectOtherEpisodes,
  selectReceipts,
} from './receipts.sql.ts';

/** What a listener has received, and what is stored of it: all, or that of some episodes. */
export interface ListenerPart {
  readonly listener: Listener;
  readonly received: readonly Receipt[];
  readonly stored: readonly StoredReceipt[];
  /** Of the listener: its parts share this object, and the last one completes it. */
  readonly change: Change;
  readonly isLast: boolean;
}

export interface Reading {
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
export async function* readStoredReceipts(
  db: Db,
  reading: Reading,
): AsyncGenerator<ListenerPart[]> {
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
