import { tryParseMoment } from '../../../../lib/time.ts';
import { firstRequestMs } from '../audio-request.ts';

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const clf = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/;
const zoneWithoutColon = /([+-]\d\d)(\d\d)$/;
/** Unix times have ten digits in seconds, 13 in milliseconds, 16 in microseconds, 19 in nanoseconds. */
const firstMs = 1e11;
const firstUs = 1e14;
const firstNs = 1e17;
const maxTakenSeconds = 172_800;
/** On average, of a time that is cut to whole seconds. */
const lostMs = 500;
const epoch = new Date(0);

/** `10/Oct/2026:13:55:36 -0700`, as Apache, nginx and S3 write it. */
export function tryParseClfTime(text: string): Date | undefined {
  const [, day, monthName = '', year, time, hours, minutes] = clf.exec(text) ?? [];
  const month = months.indexOf(monthName) + 1;
  if (month === 0) return undefined;
  const date = `${year}-${String(month).padStart(2, '0')}-${day}`;
  return notTooEarly(tryParseMoment(`${date}T${time}${hours}:${minutes}`, epoch));
}

/** ISO 8601 with a zone, Unix time in seconds or smaller units, or as `tryParseClfTime`. */
export function tryParseLogTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (text.length > 40) return undefined;
  if (/^\d{1,19}(?:\.\d{1,9})?$/.test(text)) return fromUnix(Number(text));
  if (/^\d{4}-/.test(text)) {
    return notTooEarly(tryParseMoment(text.replace(zoneWithoutColon, '$1:$2'), epoch));
  }
  return tryParseClfTime(text);
}

/**
 * When a request began that ended at `endedAt`, written as `endedText`, and took `takenSeconds`. A
 * text in whole seconds has lost up to a second: then it is the middle of what is possible, and no
 * later than that text.
 */
export function startedAt(endedAt: Date, endedText: string, takenSeconds: number): Date {
  const takenMs = Math.round(Math.min(Math.max(0, takenSeconds), maxTakenSeconds) * 1_000);
  // Unix times have their milliseconds, also if these are 0.
  const isWholeSecond = endedText.includes(':') && !endedText.includes('.');
  return new Date(endedAt.getTime() - Math.max(0, takenMs - (isWholeSecond ? lostMs : 0)));
}

function fromUnix(time: number): Date | undefined {
  return notTooEarly(new Date(toUnixMs(time)));
}

function toUnixMs(time: number): number {
  if (time < firstMs) return time * 1e3;
  if (time < firstUs) return time;
  return time < firstNs ? time / 1e3 : time / 1e6;
}

function notTooEarly(date: Date | undefined): Date | undefined {
  return date !== undefined && date.getTime() >= firstRequestMs ? date : undefined;
}
