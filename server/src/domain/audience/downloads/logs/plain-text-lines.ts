import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import type { ReadLine } from './log-line.ts';
import {
  fieldOrNone,
  splitFields,
  splitRequestLine,
  tryParseBytes,
  unescapeField,
} from './log-text.ts';
import { tryParseClfTime } from './log-time.ts';

/**
 * A line in the Combined Log Format, also behind the name of a virtual host. It does not say which
 * bytes a 206 sent. Its time is the request's end in nginx and its start in Apache.
 */
export function readCombinedLine(line: string): ReadLine {
  // Clients choose the user's name in front of the time. It may contain anything, but servers
  // escape its quotes, so unescaped quotes are the server's own.
  const timeEnd = line.indexOf('] "');
  const timeStart = timeEnd < 0 ? -1 : line.lastIndexOf('[', timeEnd);
  if (timeStart < 0) return 'unreadable';
  const at = tryParseClfTime(line.slice(timeStart + 1, timeEnd));
  const address = readAddress(line.slice(0, timeStart));
  const fields = splitFields(line.slice(timeEnd + 1), true);
  const [request, status, bytes, referrer, userAgent] = fields ?? [];
  const bodyBytes = tryParseBytes(bytes);
  if (at === undefined || address === undefined || userAgent === undefined) return 'unreadable';
  if (bodyBytes === undefined || !/^\d{3}$/.test(status ?? '')) return 'unreadable';
  const target = splitRequestLine(unescapeField(request ?? ''));
  if (target === undefined) return 'other';
  return {
    at,
    address,
    ...target,
    status: Number(status),
    bodyBytes,
    range: undefined,
    userAgent: unescapeField(fieldOrNone(userAgent) ?? '') || undefined,
    referrer: unescapeField(fieldOrNone(referrer) ?? '') || undefined,
    isPrefetch: false,
  };
}

/** Of `ADDRESS - USER` or `HOST ADDRESS - USER`. Clients choose the host and the user. */
function readAddress(client: string): string | undefined {
  const [first = '', second = '', third] = client.split(' ', 3);
  return (third === '-' ? canonicalAddress(second) : undefined) ?? canonicalAddress(first);
}

/**
 * A line of the server access logs of S3. Requests signed in a header come from programs with the
 * bucket's keys: this one, other tools, or a CDN whose own log has its clients.
 */
export function readS3Line(line: string): ReadLine {
  const fields = splitFields(line, false);
  if (fields === undefined || fields.length < 17) return 'unreadable';
  const at = tryParseClfTime(fields[2] ?? '');
  const [ip = '', requester, , operation = '', key = '', , status, , bytes] = fields.slice(3);
  const [, , referrer, userAgent] = fields.slice(13);
  const bodyBytes = tryParseBytes(bytes);
  if (at === undefined || bodyBytes === undefined) return 'unreadable';
  const [, method] = /^(?:REST|WEBSITE)\.(GET|HEAD)\.OBJECT$/.exec(operation) ?? [];
  const address = canonicalAddress(ip);
  if (method === undefined || address === undefined) return 'other';
  const authentication = fields[21];
  if (requester !== '-' && authentication !== 'QueryString') return 'other';
  return {
    at,
    address,
    method,
    target: `/${key}`,
    status: tryParseBytes(status) ?? 0,
    bodyBytes,
    range: undefined,
    userAgent: fieldOrNone(userAgent),
    referrer: fieldOrNone(referrer),
    isPrefetch: false,
  };
}
