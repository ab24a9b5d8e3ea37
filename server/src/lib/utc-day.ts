/** A calendar day in UTC, `YYYY-MM-DD`, which can be compared as text. */
export type UtcDay = string;

/** Both ends are included. */
export interface DayRange {
  readonly from: UtcDay;
  readonly to: UtcDay;
}

const dayMs = 86_400_000;

/** Cached, because counting needs the same day repeatedly and formatting takes a microsecond. */
let recent = { number: Number.NaN, day: '' };

/** Throws RangeError for an invalid date. */
export function utcDayOf(moment: Date): UtcDay {
  const number = Math.floor(moment.getTime() / dayMs);
  if (number !== recent.number) recent = { number, day: moment.toISOString().slice(0, 10) };
  return recent.day;
}

/** True for a calendar day in the years 1 to 9999; false for `2026-02-30`. */
export function isUtcDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const start = startOfDay(text);
  return !Number.isNaN(start.getTime()) && utcDayOf(start) === text;
}

/** Midnight, with which the day begins. */
export function startOfDay(day: UtcDay): Date {
  return new Date(`${day}T00:00:00Z`);
}

export function addDays(day: UtcDay, days: number): UtcDay {
  return utcDayOf(new Date(startOfDay(day).getTime() + days * dayMs));
}

/** The days of a range, both ends included. */
export function countDays(from: UtcDay, to: UtcDay): number {
  return Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / dayMs) + 1;
}

/** The same day of an earlier month, or its last one where the month is shorter. */
export function subtractMonths(day: UtcDay, months: number): UtcDay {
  const date = startOfDay(day);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const first = utcDayOf(date);
  const last = lastDayOfMonth(first);
  const same = addDays(first, dayOfMonth - 1);
  return same < last ? same : last;
}

export function firstDayOfNextMonth(day: UtcDay): UtcDay {
  return addDays(lastDayOfMonth(day), 1);
}

/** The Sunday that ends the ISO week. */
export function lastDayOfWeek(day: UtcDay): UtcDay {
  const date = startOfDay(day);
  date.setUTCDate(date.getUTCDate() + ((7 - date.getUTCDay()) % 7));
  return utcDayOf(date);
}

/** The Monday that begins the ISO week. */
export function firstDayOfWeek(day: UtcDay): UtcDay {
  return addDays(lastDayOfWeek(day), -6);
}

export function firstDayOfMonth(day: UtcDay): UtcDay {
  return `${day.slice(0, 7)}-01`;
}

export function lastDayOfMonth(day: UtcDay): UtcDay {
  // The 32nd day from the first is in the next month.
  return addDays(firstDayOfMonth(addDays(firstDayOfMonth(day), 31)), -1);
}
