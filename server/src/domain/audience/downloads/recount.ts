import { createYielder } from '../../../lib/time-slices.ts';
import { addDays, type DayRange, type UtcDay } from '../../../lib/utc-day.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { requireOperator } from '../../foundation/principal.ts';
import type { ClassifiedRequest } from './audio-request.ts';
import { isOpen, type OpenDays, openDays } from './days.ts';
import { classify } from './evidence/classify.ts';
import {
  countEvidence,
  type DayPart,
  type EvidenceRow,
  lockPodcastsOfDay,
  readEvidence,
  selectLargeCrowds,
  updateVerdicts,
} from './evidence/evidence.sql.ts';
import { mergeReceipts, replaceStored } from './receipts/merge-receipts.ts';
import { OrderedListenerLimit } from './receipts/ordered-listener-limit.ts';
import {
  type ListenerReceipts,
  listenerKey,
  ReceiptCollector,
} from './receipts/receipt-collector.ts';
import { addDifferences } from './sums/add-differences.ts';
import { Differences } from './sums/differences.ts';
import { lockSums, sumDownloads, touchSums } from './sums/sums.sql.ts';

export interface Recount {
  /** Downloads of these days before and after. */
  readonly before: number;
  readonly after: number;
  /** Days without evidence any more; their figures stay. */
  readonly skipped: readonly UtcDay[];
  /**
   * Days of which the evidence was full, and the number of podcasts that are not counted again for
   * lack of details.
   */
  readonly incomplete: readonly { readonly day: UtcDay; readonly podcasts: number }[];
}

/** Only a few have evidence; all others are named. */
const maxDays = 1_100;

/**
 * Counts the days from `from` to `to` again from their evidence, by the present rules. Readers see
 * the new figures all at once, and new requests wait until then. Throws `invalid` if none of the
 * days has evidence.
 */
export async function recount(ctx: Context, { from, to }: DayRange): Promise<Recount> {
  requireOperator(ctx);
  const now = ctx.clock.now();
  const open = openDays(now);
  const { days, skipped } = splitDays(from, to, open);
  if (days.length === 0)
    throw invalid(
      'from',
      `There is no evidence for these days. It is kept for today and the two days before: since ${open.first} (UTC).`,
    );
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    const before = await sumDownloads(tx.db, days);
    const incomplete: { day: UtcDay; podcasts: number }[] = [];
    for (const day of days) {
      const podcasts = await recountDay(tx, day, open);
      if (podcasts > 0) incomplete.push({ day, podcasts });
    }
    await touchSums(tx.db, now);
    return { before, after: await sumDownloads(tx.db, days), skipped, incomplete };
  });
}

/** Days of the range that have evidence, and the others. */
function splitDays(from: UtcDay, to: UtcDay, open: OpenDays) {
  if (to < from) throw invalid('to', 'The last day must not be before the first.');
  if (addDays(from, maxDays) <= to)
    throw invalid('to', `The range may have at most ${maxDays} days.`);
  const days: UtcDay[] = [];
  const skipped: UtcDay[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    (isOpen(day, open) ? days : skipped).push(day);
  return { days, skipped };
}

const rowsAtOnce = 2_000;
const listenersAtOnce = 2_000;
/** A statement that sorts more might take longer than any may. */
const rowsSortedAtOnce = 500_000;
/** How many added or removed downloads change the sums together, which bounds the memory for them. */
const movesAtOnce = 50_000;

/**
 * Replaces the receipts of a day by those that its evidence makes under the present rules, and
 * changes the sums. Requires their lock. Evidence does not tell where it comes from, so the
 * differences count as those of delivery: later logs then add too little, and not too much.
 * Returns how many podcasts stay as they are, because their evidence is not complete.
 */
async function recountDay(tx: Context, day: UtcDay, open: OpenDays): Promise<number> {
  const found = await lockPodcastsOfDay(tx.db, day);
  const complete = found.filter(({ isComplete }) => isComplete);
  const podcasts = new Set(complete.map(({ id }) => id));
  const limit = new OrderedListenerLimit(await selectLargeCrowds(tx.db, day));
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
): Promise<ClassifiedRequest[]> {
  const classified = rows.map(({ request }) =>
    limit.apply(classify(installation.clients, request, open)),
  );
  const changed = rows.flatMap(({ place, rejected: old }, index) => {
    const rejected = classified[index]?.rejected ?? null;
    return rejected === old ? [] : [{ place, rejected }];
  });
  if (changed.length > 0) await updateVerdicts(db, day, changed);
  return classified;
}
