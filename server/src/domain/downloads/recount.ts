import { addDays, type UtcDay } from '../../lib/utc-day.ts';
import { type Context, transact } from '../context.ts';
import { invalid } from '../errors.ts';
import { requireOperator } from '../principal.ts';
import { isOpen, type OpenDays, openDays } from './days.ts';
import { lockPodcastsOfDay, readEvidence, updateVerdicts } from './evidence.sql.ts';
import { judge } from './judge.ts';
import {
  addStagedToRecounted,
  createRecountedListeners,
  prepareIncoming,
  replaceListeners,
  stageReceipts,
} from './listeners.sql.ts';
import { ReceiptBook } from './receipt-book.ts';
import { lockSums, sumDownloads, touchSums } from './sums.sql.ts';

export interface Recount {
  /** Downloads of these days before and after. */
  readonly before: number;
  readonly after: number;
  /** Days without evidence any more; their figures stay. */
  readonly skipped: readonly UtcDay[];
}

const rowsAtOnce = 2_000;
/** Only a few have evidence; all others are named. */
const maxDays = 1_100;

/**
 * Counts the days from `from` to `to` again from their evidence, by the present rules. Readers see
 * the new figures all at once, and new requests wait until then. Throws `invalid` if none of the
 * days has evidence.
 */
export async function recount(
  ctx: Context,
  { from, to }: { readonly from: UtcDay; readonly to: UtcDay },
): Promise<Recount> {
  requireOperator(ctx);
  const now = ctx.clock.now();
  const open = openDays(now);
  const { days, skipped } = splitDays(from, to, open);
  if (days.length === 0)
    throw invalid(
      'from',
      `There is no evidence of these days any more. The first day that can be recounted is ${open.first}.`,
    );
  return await transact(ctx, async (tx) => {
    await lockSums(tx.db);
    const before = await sumDownloads(tx.db, days);
    await prepareIncoming(tx.db);
    await createRecountedListeners(tx.db);
    for (const day of days) await recountDay(tx, day, open);
    await touchSums(tx.db, now);
    return { before, after: await sumDownloads(tx.db, days), skipped };
  });
}

/** Days of the range that have evidence, and the others. */
function splitDays(from: UtcDay, to: UtcDay, open: OpenDays) {
  if (to < from) throw invalid('to', 'The last day must not come before the first.');
  if (addDays(from, maxDays) <= to) throw invalid('to', `At most ${maxDays} days can be named.`);
  const days: UtcDay[] = [];
  const skipped: UtcDay[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    (isOpen(day, open) ? days : skipped).push(day);
  return { days, skipped };
}

async function recountDay({ db, installation }: Context, day: UtcDay, open: OpenDays) {
  await lockPodcastsOfDay(db, day);
  for await (const rows of readEvidence(db, day, rowsAtOnce)) {
    const judged = rows.map(({ request }) => judge(installation.clients, request, open));
    const changed = rows.flatMap(({ place, rejected: old }, index) => {
      const rejected = judged[index]?.rejected ?? null;
      return rejected === old ? [] : [{ place, rejected }];
    });
    if (changed.length > 0) await updateVerdicts(db, day, changed);
    const book = new ReceiptBook();
    book.add(judged);
    await stageReceipts(db, [...book.receipts()]);
    await addStagedToRecounted(db);
  }
  await replaceListeners(db, day);
}
