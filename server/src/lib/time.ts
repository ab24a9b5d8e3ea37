import type { Language } from './languages.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const RELATIVE = /^([+-])(\d{1,9})([smhdw])$/;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`;
const ZONE = String.raw`(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)`;
const ABSOLUTE = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)T${TIME}${ZONE}$`);

/**
 * Reads a time as seed files write it: ISO 8601 with a zone, or relative to `now` as
 * `-36h`, `+2s`, `-400d`. A day is always 24 hours. Throws RangeError that quotes the text.
 */
export function parseMoment(text: string, now: Date): Date {
  const moment = tryParseMoment(text, now);
  if (moment !== undefined) return moment;
  const shown = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  throw new RangeError(`${shown} is neither an ISO 8601 timestamp with a zone nor as -36h or +2s`);
}

/** Like `parseMoment`, but undefined for invalid text and for years outside 1 to 9999. */
export function tryParseMoment(text: string, now: Date): Date | undefined {
  const moment = readRelative(text, now);
  return moment === undefined ? tryParseTimestamp(text) : withinYears(moment);
}

/** ISO 8601 with a zone; undefined for invalid text and for years outside 1 to 9999. */
export function tryParseTimestamp(text: string): Date | undefined {
  const moment = readAbsolute(text);
  return moment && withinYears(moment);
}

function withinYears(moment: Date): Date | undefined {
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : undefined;
}

/** `Wed, 02 Oct 2002 13:00:00 +0000`, the format of feeds; rounds down to seconds. */
export function formatRfc2822(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError('Not a date');
  return date.toUTCString().replace('GMT', '+0000');
}

/** `10 March 2026 at 12:00 UTC`, the format of emails and of pages without scripts. */
export function formatMoment(date: Date, language: Language): string {
  return `${formatUtc(date, language, { dateStyle: 'long', timeStyle: 'short' })} UTC`;
}

/** `10 March 2026` */
export function formatDay(date: Date, language: Language): string {
  return formatUtc(date, language, { dateStyle: 'long' });
}

/** `March 2026` */
export function formatMonth(date: Date, language: Language): string {
  return formatUtc(date, language, { month: 'long', year: 'numeric' });
}

function formatUtc(date: Date, language: Language, style: Intl.DateTimeFormatOptions): string {
  const locale = language === 'en' ? 'en-GB' : language;
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(date);
}

function readRelative(text: string, now: Date): Date | undefined {
  const [, sign, count, unit = ''] = RELATIVE.exec(text) ?? [];
  if (count === undefined) return undefined;
  const distanceMs = Number(count) * (UNIT_MS[unit] ?? 0);
  return new Date(now.getTime() + (sign === '-' ? -distanceMs : distanceMs));
}

function readAbsolute(text: string): Date | undefined {
  const [, day] = ABSOLUTE.exec(text) ?? [];
  if (day === undefined || !isCalendarDay(day)) return undefined;
  return new Date(text);
}

/** JavaScript turns 30 February into 1 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** Undefined: there is none. */
export function earliest(dates: Iterable<Date | undefined>): Date | undefined {
  let found: Date | undefined;
  for (const date of dates)
    if (date !== undefined && (found === undefined || date < found)) found = date;
  return found;
}
