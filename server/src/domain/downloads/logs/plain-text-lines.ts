import { canonicalAddress } from '../../../lib/canonical-address.ts';
import type { ReadLine } from './log-line.ts';
import {
  fieldOrNone,
  splitFields,
  splitRequestLine,
  tryParseCount,
  unescapeField,
} from './log-text.ts';
import { tryParseClfTime } from './log-time.ts';

/**
 * A line in the Combined Log Format, also behind the name of a virtual host. It does not say which
 * bytes a 206 sent. Its time is the request's end in nginx and its start in Apache.
 */
export function readCombinedLine(line: string): ReadLine {
  const fields = splitFields(line, true);
  if (fields === undefined) return 'unreadable';
  // The user's name in front of the time may hold spaces.
  const timeAt = line.startsWith('[') ? -1 : fields.findIndex(isClfTime);
  const at = tryParseClfTime(fields[timeAt] ?? '');
  const addresses = [fields[timeAt - 3], fields[0], fields[1]];
  const address = addresses.map((text) => canonicalAddress(text ?? '')).find((text) => text);
  const [request, status, bytes, referrer, userAgent] = fields.slice(timeAt + 1);
  const bodyBytes = tryParseCount(bytes);
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

const isClfTime = (field: string) => tryParseClfTime(field) !== undefined;

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
  const bodyBytes = tryParseCount(bytes);
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
    status: tryParseCount(status) ?? 0,
    bodyBytes,
    range: undefined,
    userAgent: fieldOrNone(userAgent),
    referrer: fieldOrNone(referrer),
    isPrefetch: false,
  };
}
