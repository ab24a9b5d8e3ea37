import { trimEndOf } from './trim-end.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The zones of RFC 822, and unambiguous others. Every other name counts as UTC, as in RFC 2822. */
const ZONE_HOURS = new Map(
  Object.entries({
    ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
    ...{ akst: -9, akdt: -8, hst: -10, west: 1, cet: 1, cest: 2, eet: 2, eest: 3 },
    ...{ msk: 3, jst: 9, aest: 10, aedt: 11 },
  }),
);

const MAX_CHARS = 100;
const HOUR_MS = 3_600_000;

const SECOND = String.raw`(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?`;
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d)${SECOND}`;
const HALF = String.raw`(?: ?(?<half>[ap])\.?m\b\.?)?`;
const CLOCK = new RegExp(String.raw`(?<!\d)${TIME}${HALF}`, 'i');
const ZONE = /^ ?(?<name>[a-z]{1,5})? ?(?:(?<sign>[+-])(?<hours>\d{1,2}):?(?<minutes>\d\d)?)?$/i;

/** An offset that does not exist; the date is read as UTC. */
const IMPOSSIBLE_ZONE = /^ ?[a-z]{0,5} ?[+-][\d:]{1,10}$/i;

/** An optional day name, which is ignored. */
const DAY_NAME = String.raw`(?:[a-z]+\.?[ ,]+)?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const MONTH = String.raw`(?<month>[a-z]{3,9})\.?`;
const DAYS = [
  new RegExp(String.raw`^${DAY_NAME}${DAY}[ -]${MONTH}[ ,-]+(?<year>\d{4}|\d\d)$`, 'i'),
  new RegExp(String.raw`^${DAY_NAME}${MONTH} ${DAY}[ ,]+(?<year>\d{4})$`, 'i'),
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})$/,
];

type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Reads a date as feeds write it: RFC 822 and 2822 with common deviations (US zones, `-0000`, a
 * missing or wrong day name, two-digit years), month first, or ISO 8601. A missing or impossible
 * zone counts as UTC. Undefined for ambiguous text, days that do not exist, and years before 1900
 * (usually an unset date).
 */
export function tryParseFeedDate(text: string): Date | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/\([^()]*\)/g, '')
    .trim();
  const clock = CLOCK.exec(plain);
  const clockEnd = clock === null ? plain.length : clock.index + clock[0].length;
  const dayMs = readDay(clock === null ? plain : trimEndOf(plain.slice(0, clock.index), 'Tt ,'));
  const timeMs = readTime(clock?.groups ?? {});
  const offsetMs = readOffset(plain.slice(clockEnd));
  if (dayMs === undefined || timeMs === undefined || offsetMs === undefined) return undefined;
  return new Date(dayMs + timeMs - offsetMs);
}

function readDay(text: string): number | undefined {
  for (const form of DAYS) {
    const fields: Fields | undefined = form.exec(text)?.groups;
    if (fields === undefined) continue;
    const month = monthIndex(fields['month'] ?? '');
    const dayMs = Date.UTC(fullYear(fields['year'] ?? ''), month, Number(fields['day']));
    const date = new Date(dayMs);
    const exists = date.getUTCMonth() === month && date.getUTCDate() === Number(fields['day']);
    return exists && date.getUTCFullYear() >= 1900 ? dayMs : undefined;
  }
  return undefined;
}

function monthIndex(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? MONTHS.indexOf(text.slice(0, 3).toLowerCase()) : number - 1;
}

/** Expands two digits as in RFC 2822 §4.3; Date.UTC would map years below 100 to 19xx. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return year < 100 ? -1 : year;
}

/**
 * Milliseconds since midnight; 0 without a time. 24:00 belongs to the next day, :60 to the next
 * minute.
 */
function readTime(fields: Fields): number | undefined {
  const { hour: hourText = '0', minute = '0', second = '0', fraction = '0', half } = fields;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  const seconds = hour * 3600 + Number(minute) * 60 + Number(second);
  if (seconds > 24 * 3600 || Number(minute) > 59 || Number(second) > 60) return undefined;
  return seconds * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
}

function readOffset(text: string): number | undefined {
  const fields: Fields | undefined = ZONE.exec(text)?.groups;
  if (fields === undefined) return IMPOSSIBLE_ZONE.test(text) ? 0 : undefined;
  const { name = '', sign, hours = '0', minutes = '0' } = fields;
  if (sign === undefined) return (ZONE_HOURS.get(name.toLowerCase()) ?? 0) * HOUR_MS;
  if (Number(hours) > 14 || Number(minutes) > 59) return 0;
  const offsetMs = (Number(hours) + Number(minutes) / 60) * HOUR_MS;
  return sign === '-' ? -offsetMs : offsetMs;
}
