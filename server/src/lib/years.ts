import { LRUCache } from 'lru-cache';

const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** The parts of a moment in a time zone, an IANA name. */
function partsIn(moment: Date, timeZone: string): number[] {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  formatters.set(timeZone, formatter);
  const parts = new Map(formatter.formatToParts(moment).map(({ type, value }) => [type, value]));
  const names = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
  return names.map((name) => Number(parts.get(name)));
}

/** The year of a moment in a time zone. */
export function findYear(moment: Date, timeZone: string): number {
  return partsIn(moment, timeZone)[0] ?? Number.NaN;
}

/** The day of a moment in a time zone, `YYYY-MM-DD`. */
export function findDay(moment: Date, timeZone: string): string {
  const [year, month, day] = partsIn(moment, timeZone);
  const digits = (number = 0, count = 2) => String(number).padStart(count, '0');
  return `${digits(year, 4)}-${digits(month)}-${digits(day)}`;
}

/** When a year begins in a time zone, in which the first hour of a year is never skipped. */
export function startOfYear(year: number, timeZone: string): Date {
  const wanted = utc(year);
  let moment = wanted;
  // The difference to UTC may be another one at the first guess.
  for (let tries = 0; tries < 2; tries += 1) {
    const [y = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = partsIn(
      new Date(moment),
      timeZone,
    );
    moment += wanted - utc(y, month - 1, day, hour, minute, second);
  }
  return new Date(moment);
}

/** `Date.UTC` takes the years 0 to 99 as those of the last century. */
function utc(year: number, ...[month = 0, day = 1, hour = 0, minute = 0, second = 0]: number[]) {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.setUTCHours(hour, minute, second);
}
