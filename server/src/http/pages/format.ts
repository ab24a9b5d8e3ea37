import { LRUCache } from 'lru-cache';
import { trimEndOf } from '../../lib/trim-end.ts';
import { localeOf } from './page-language.ts';

/** Formats dates, durations and texts in the language of the page. */

/** A formatter takes far longer to make than to use, and a page uses some for each of its episodes. */
const mostFormatters = 100;
const dateFormatters = new LRUCache<string, Intl.DateTimeFormat>({ max: mostFormatters });
const numberFormatters = new LRUCache<string, Intl.NumberFormat>({ max: mostFormatters });

function dateFormatterIn(language: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const create = () => new Intl.DateTimeFormat(localeOf(language), style);
  return findOrCreate(dateFormatters, JSON.stringify([language, style]), create);
}

function numberFormatterIn(
  language: string,
  style: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const create = () => new Intl.NumberFormat(localeOf(language), style);
  return findOrCreate(numberFormatters, JSON.stringify([language, style]), create);
}

function findOrCreate<Formatter extends object>(
  formatters: LRUCache<string, Formatter>,
  key: string,
  create: () => Formatter,
): Formatter {
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = create();
  formatters.set(key, formatter);
  return formatter;
}

/** The day of a moment where the show is; `timezone`: an IANA name. */
export function formatDate(date: Date, language: string, timezone: string): string {
  return dateFormatterIn(language, { dateStyle: 'long', timeZone: timezone }).format(date);
}

/** The same with the time and the zone. */
export function formatExactDate(date: Date, language: string, timezone: string): string {
  return dateFormatterIn(language, { ...exactDate, timeZone: timezone }).format(date);
}

/** From `1` to `31`, where the show is. */
export function dayOfMonth(date: Date, timezone: string): string {
  return dateFormatterIn('en', { day: 'numeric', timeZone: timezone }).format(date);
}

const exactDate = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** `42 min`, `1 hr 5 min`; seconds only below a minute. */
export function formatLength(durationMs: number, language: string): string {
  const part = (unit: string, count: number) =>
    numberFormatterIn(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return part('second', Math.max(0, seconds));
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return part('minute', minutes);
  return minutes % 60 === 0
    ? part('hour', hours)
    : `${part('hour', hours)} ${part('minute', minutes % 60)}`;
}

/** An episode's number. Seasons are not formatted, because many are years. */
export function formatNumber(value: number, language: string): string {
  return numberFormatterIn(language).format(value);
}

/** A position in audio: `12:05`, or `1:02:05` from an hour on. */
export function formatClock(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = twoDigits(seconds % 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}

/** A year, as readers of the language write it. */
export function formatYear(year: number, language: string): string {
  const midYear = new Date(0);
  midYear.setUTCFullYear(year, 6, 1);
  return dateFormatterIn(language, { year: 'numeric', timeZone: 'UTC' }).format(midYear);
}

/** ISO 8601, for machines: `PT2525S`. */
export function isoDuration(durationMs: number): string {
  return `PT${Math.max(0, Math.round(durationMs / 1000))}S`;
}

export function formatBytes(bytes: number, language: string): string {
  const [unit, size] = bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6];
  return numberFormatterIn(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: size < 10 ? 1 : 0,
  }).format(size);
}

/**
 * The beginning of a text on one line, cut at the end of a word; at most `maxChars` UTF-16 units.
 */
export function excerpt(text: string, maxChars: number): string {
  // Four times the length is enough input, even if much of it is white space.
  const line = cutAt(text, maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxChars) return line;
  const cut = cutAt(line, maxChars - 1);
  const end = cut.lastIndexOf(' ');
  return `${trimEndOf(end > maxChars / 2 ? cut.slice(0, end) : cut, ',;:. ')}…`;
}

/** Never inside a surrogate pair. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
