import { tryParseFeedDate } from '../../../../lib/feed-date.ts';
import { isUtcDay, lastDayOfMonth, type UtcDay, utcDayOf } from '../../../../lib/utc-day.ts';
import { toHalfWidth } from './read-figure.ts';

/** A day, `YYYY-MM-DD`, as each order of day and month would read it; most texts allow one day. */
export interface ReadDay {
  readonly monthFirst: UtcDay | undefined;
  readonly dayFirst: UtcDay | undefined;
}

const compact = /^(\d{4})-?(\d\d)(?:-?(\d\d))?$/;
const numbers = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[ T,]{1,2}\d{1,2}:.*)?$/;

/**
 * Reads `2026-03-05`, `20260305`, `202603` and `2026-03` (the last day of the month), `5.3.2026`,
 * `3/5/2026` in either order, and dates with English names of months; a time after it is ignored.
 * Undefined: it is not a date, or one after `latest`. A month may end after it.
 */
export function tryParseDay(text: string, latest: UtcDay = '9999-12-31'): ReadDay | undefined {
  const trimmed = toHalfWidth(text.slice(0, 100)).trim();
  const accept = (day: UtcDay) => (isUtcDay(day) && day <= latest ? day : undefined);
  const dayOf = (year: string, month: string, day: string) =>
    accept([year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'));
  const [, year, month = '', day] = compact.exec(trimmed) ?? [];
  if (year !== undefined) {
    const first = dayOf(year, month, day ?? '1');
    return both(first && (day === undefined ? lastDayOfMonth(first) : first));
  }
  const [, first = '', mark, second = '', short] = numbers.exec(trimmed) ?? [];
  if (short === undefined) {
    const moment = tryParseFeedDate(trimmed);
    return both(moment && accept(utcDayOf(moment)));
  }
  const full = short.length === 2 ? `20${short}` : short;
  const dayFirst = dayOf(full, second, first);
  const monthFirst = mark === '.' ? dayFirst : dayOf(full, first, second);
  if (dayFirst === undefined && monthFirst === undefined) return undefined;
  return { monthFirst, dayFirst };
}

function both(day: UtcDay | undefined): ReadDay | undefined {
  return day === undefined ? undefined : { monthFirst: day, dayFirst: day };
}

/**
 * The days of one column. A single `3/5/2026` does not say which number is the month; another row of
 * the column may.
 */
export class DayColumn {
  #isMonthFirst = true;
  #isDayFirst = true;

  add(text: string): ReadDay | undefined {
    const day = tryParseDay(text);
    if (day === undefined) return undefined;
    if (day.monthFirst === undefined) this.#isMonthFirst = false;
    if (day.dayFirst === undefined) this.#isDayFirst = false;
    return day;
  }

  /** Call it when all rows are read. Undefined if the column does not tell. */
  resolve(day: ReadDay | undefined): UtcDay | undefined {
    if (day === undefined || day.monthFirst === day.dayFirst) return day?.monthFirst;
    if (this.#isMonthFirst === this.#isDayFirst) return undefined;
    return this.#isMonthFirst ? day.monthFirst : day.dayFirst;
  }
}
