import type { MaybeYield } from '../../../../lib/time-slices.ts';
import { countDays, type UtcDay } from '../../../../lib/utc-day.ts';
import type { ReadDay } from './read-day.ts';

/** Of day and month. */
export type Order = keyof ReadDay;

/**
 * Finds the orders in which the dates of a series may be read: two if it does not tell, none if it
 * contradicts itself. An order is out if one of the dates would be no day. A series of consecutive
 * days in one order is read in that one, unless the other makes it a series of months.
 */
export async function findOrders(
  days: Iterable<ReadDay>,
  maybeYield: MaybeYield,
): Promise<readonly Order[]> {
  const series = { monthFirst: new Series(), dayFirst: new Series() };
  let isClear = true;
  for (const { monthFirst, dayFirst } of days) {
    series.monthFirst.add(monthFirst);
    series.dayFirst.add(dayFirst);
    if (monthFirst !== dayFirst) isClear = false;
    await maybeYield();
  }
  if (isClear) return ['monthFirst'];
  const possible = orders.filter((order) => series[order].isPossible);
  const isOfMonths = possible.some((order) => series[order].isOfMonths);
  const daily = possible.filter((order) => series[order].isDaily);
  return daily.length === 1 && !isOfMonths ? daily : possible;
}

const orders = ['monthFirst', 'dayFirst'] as const satisfies readonly Order[];

class Series {
  readonly #days = new Set<UtcDay>();
  #from: UtcDay = '9999-12-31';
  #to: UtcDay = '0001-01-01';
  /** Each date is a day. */
  isPossible = true;
  /** All days are the first of a month, by which months are written. */
  isOfMonths = true;

  add(day: UtcDay | undefined): void {
    if (day === undefined) {
      this.isPossible = false;
      return;
    }
    this.#days.add(day);
    if (day < this.#from) this.#from = day;
    if (day > this.#to) this.#to = day;
    if (!day.endsWith('-01')) this.isOfMonths = false;
  }

  /** Consecutive days, without a gap. */
  get isDaily(): boolean {
    const count = this.#days.size;
    return count > 1 && countDays(this.#from, this.#to) === count;
  }
}
