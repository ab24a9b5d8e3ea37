import { firstDayOfMonth } from '../../../../lib/utc-day.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { defineJob } from '../../../foundation/job.ts';
import { openDays } from '../days.ts';
import { lockMonthsToSum, sumMonthsByValue } from './sums.sql.ts';

export const sumMonthsJob = defineJob({
  name: 'sum-download-months',
  timeoutSeconds: 1_800,
  run: (ctx, _payload, { signal }) => sumMonths(ctx, signal),
});

/** A month of an episode has some hundred values, so a transaction takes some milliseconds. */
const monthsAtOnce = 50;

/**
 * Sums the breakdowns of episodes by month, so that those of a year are read from few rows: the
 * months that can no longer be revised, and older ones that have changed since. Counting continues
 * in the meantime.
 */
export async function sumMonths(ctx: Context, signal?: AbortSignal): Promise<void> {
  const before = firstDayOfMonth(openDays(ctx.clock.now()).first);
  for (let isMore = true; isMore; ) {
    signal?.throwIfAborted();
    isMore = await transact(ctx, async ({ db }) => {
      const months = await lockMonthsToSum(db, { before, limit: monthsAtOnce });
      if (months.length > 0) await sumMonthsByValue(db, months);
      return months.length === monthsAtOnce;
    });
  }
}
