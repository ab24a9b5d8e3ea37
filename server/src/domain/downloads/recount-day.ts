import { createYielder } from '../../lib/time-slices.ts';
import type { UtcDay } from '../../lib/utc-day.ts';
import type { Context } from '../context.ts';
import type { JudgedRequest } from './audio-request.ts';
import type { OpenDays } from './days.ts';
import {
  countEvidence,
  type DayPart,
  type EvidenceRow,
  lockPodcastsOfDay,
  readEvidence,
  updateVerdicts,
} from './evidence/evidence.sql.ts';
import { judge } from './evidence/judge.ts';
import { mergeReceipts, replaceStored } from './receipts/merge-receipts.ts';
import {
  type ListenerReceipts,
  listenerKey,
  ReceiptCollector,
} from './receipts/receipt-collector.ts';
import { addDifferences } from './sums/add-differences.ts';
import { Differences } from './sums/differences.ts';

const rowsAtOnce = 2_000;
const listenersAtOnce = 2_000;
/** A statement that sorts more might take longer than any may. */
const rowsSortedAtOnce = 500_000;
/** So many downloads that came or went change the sums together, which bounds the memory for them. */
const movesAtOnce = 50_000;

/**
 * Replaces the receipts of a day by those that its evidence makes under the present rules, and
 * changes the sums. Requires their lock. Evidence does not tell where it comes from, so the
 * differences count as those of delivery: later logs then add too little, and not too much.
 */
export async function recountDay(tx: Context, day: UtcDay, open: OpenDays): Promise<void> {
  const podcasts = new Set(await lockPodcastsOfDay(tx.db, day));
  const parts = Math.min(256, Math.ceil((await countEvidence(tx.db, day)) / rowsSortedAtOnce));
  let differences = new Differences();
  for (let part = 0; part < parts; part += 1)
    for await (const listeners of collectPart(tx, { day, part, parts }, { podcasts, open })) {
      await mergeReceipts(tx.db, { day, listeners }, replaceStored, differences);
      if (differences.moves < movesAtOnce) continue;
      await addDifferences(tx.db, differences, { isDelivery: true });
      differences = new Differences();
    }
  await addDifferences(tx.db, differences, { isDelivery: true });
}

/**
 * Yields some thousand listeners at a time, each with all that it has received: nothing, if none of its
 * requests may count any more.
 */
async function* collectPart(
  tx: Context,
  part: DayPart,
  { podcasts, open }: { readonly podcasts: ReadonlySet<string>; readonly open: OpenDays },
): AsyncGenerator<Iterable<ListenerReceipts>> {
  const { day } = part;
  const maybeYield = createYielder();
  let collector = new ReceiptCollector();
  let listeners = new Map<string, ListenerReceipts>();
  const collected = async () => {
    for (const one of await collector.byListener()) listeners.set(listenerKey(one.listener), one);
    return listeners.values();
  };
  for await (const rows of readEvidence(tx.db, part, rowsAtOnce))
    for (const request of await judgeAgain(tx, day, rows, open)) {
      const { podcastId, listener } = request;
      if (!podcasts.has(podcastId)) continue;
      const key = listenerKey({ day, podcastId, listener });
      // Evidence is ordered by listener, so the others are complete.
      if (listeners.size >= listenersAtOnce && !listeners.has(key)) {
        yield await collected();
        collector = new ReceiptCollector();
        listeners = new Map();
      }
      listeners.set(key, { listener: { day, podcastId, listener }, receipts: [] });
      collector.add(request);
      await maybeYield();
    }
  yield await collected();
}

/** Applies the present rules, and stores verdicts that have changed. */
async function judgeAgain(
  { db, installation }: Context,
  day: UtcDay,
  rows: readonly EvidenceRow[],
  open: OpenDays,
): Promise<JudgedRequest[]> {
  const judged = rows.map(({ request }) => judge(installation.clients, request, open));
  const changed = rows.flatMap(({ place, rejected: old }, index) => {
    const rejected = judged[index]?.rejected ?? null;
    return rejected === old ? [] : [{ place, rejected }];
  });
  if (changed.length > 0) await updateVerdicts(db, day, changed);
  return judged;
}
