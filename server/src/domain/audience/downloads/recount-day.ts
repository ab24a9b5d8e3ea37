import { createYielder } from '../../../lib/time-slices.ts';
import type { UtcDay } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import type { JudgedRequest } from './audio-request.ts';
import type { OpenDays } from './days.ts';
import {
  countEvidence,
  type DayPart,
  type EvidenceRow,
  lockPodcastsOfDay,
  readEvidence,
  selectLargeCrowds,
  updateVerdicts,
} from './evidence/evidence.sql.ts';
import { judge } from './evidence/judge.ts';
import { mostListenersOfAddress, OrderedListenerLimit } from './receipts/listener-limit.ts';
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
 * Returns how many podcasts stay as they are, because their evidence is not complete.
 */
export async function recountDay(tx: Context, day: UtcDay, open: OpenDays): Promise<number> {
  const found = await lockPodcastsOfDay(tx.db, day);
  const complete = found.filter(({ isComplete }) => isComplete);
  const podcasts = new Set(complete.map(({ id }) => id));
  const limit = new OrderedListenerLimit(
    await selectLargeCrowds(tx.db, day, mostListenersOfAddress),
  );
  const parts = Math.min(256, Math.ceil((await countEvidence(tx.db, day)) / rowsSortedAtOnce));
  let differences = new Differences();
  for (let part = 0; part < parts; part += 1)
    for await (const listeners of collectPart(
      tx,
      { day, part, parts },
      { podcasts, limit, open },
    )) {
      await mergeReceipts(tx.db, { day, listeners }, replaceStored, differences);
      if (differences.moves < movesAtOnce) continue;
      await addDifferences(tx.db, differences, { isDelivery: true });
      differences = new Differences();
    }
  await addDifferences(tx.db, differences, { isDelivery: true });
  return found.length - complete.length;
}

/**
 * Yields some thousand listeners at a time, each with all that it has received: nothing, if none of its
 * requests may count any more.
 */
async function* collectPart(
  tx: Context,
  part: DayPart,
  rules: Rules & { readonly podcasts: ReadonlySet<string> },
): AsyncGenerator<Iterable<ListenerReceipts>> {
  const { day } = part;
  const { podcasts } = rules;
  const maybeYield = createYielder();
  let collector = new ReceiptCollector();
  let listeners = new Map<string, ListenerReceipts>();
  const collected = async () => {
    for (const one of await collector.byListener()) listeners.set(listenerKey(one.listener), one);
    return listeners.values();
  };
  for await (const rows of readEvidence(tx.db, part, rowsAtOnce))
    for (const request of await judgeAgain(tx, day, ofPodcasts(rows, podcasts), rules)) {
      const { podcastId, listener } = request;
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

interface Rules {
  readonly open: OpenDays;
  readonly limit: OrderedListenerLimit;
}

const ofPodcasts = (rows: readonly EvidenceRow[], podcasts: ReadonlySet<string>) =>
  rows.filter(({ request }) => podcasts.has(request.podcastId));

/** Applies the present rules, and stores verdicts that have changed. */
async function judgeAgain(
  { db, installation }: Context,
  day: UtcDay,
  rows: readonly EvidenceRow[],
  { open, limit }: Rules,
): Promise<JudgedRequest[]> {
  const judged = rows.map(({ request }) => limit.apply(judge(installation.clients, request, open)));
  const changed = rows.flatMap(({ place, rejected: old }, index) => {
    const rejected = judged[index]?.rejected ?? null;
    return rejected === old ? [] : [{ place, rejected }];
  });
  if (changed.length > 0) await updateVerdicts(db, day, changed);
  return judged;
}
