import { addDays, type DayRange, type UtcDay } from '../../../lib/utc-day.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid } from '../../foundation/errors.ts';
import { requireOperator } from '../../foundation/principal.ts';
import { isOpen, type OpenDays, openDays } from './days.ts';
import { recountDay } from './recount-day.ts';
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
      `There is no evidence of these days. It is kept for today and the two days before: since ${open.first} (UTC).`,
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
  if (to < from) throw invalid('to', 'The last day must not come before the first.');
  if (addDays(from, maxDays) <= to) throw invalid('to', `At most ${maxDays} days can be named.`);
  const days: UtcDay[] = [];
  const skipped: UtcDay[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    (isOpen(day, open) ? days : skipped).push(day);
  return { days, skipped };
}
