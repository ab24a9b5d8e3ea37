import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import { readCloudFrontFields, standardFields } from './cloudfront-line.ts';
import { explainJsonLine, readJsonLine } from './json-line.ts';
import type { ReadLine } from './log-line.ts';
import {
  fieldOrNone,
  splitFields,
  splitRequestLine,
  tryParseBytes,
  unescapeField,
} from './log-text.ts';
import { tryParseClfTime } from './log-time.ts';

const maxFields = 100;

/** Reads the lines of one file, in any of the formats. */
export type LineReader = (line: string) => ReadLine;

/**
 * Detects the format of each line by itself. Only CloudFront's lines need earlier ones: a comment
 * with the names of their fields. Lines have one character for each byte (latin1).
 */
export function createLineReader(): LineReader {
  let fieldNames = standardFields;
  return (line) => {
    if (isBlankOrComment(line)) {
      const [, names] = /^#Fields:\s?(.*)$/.exec(line) ?? [];
      if (names !== undefined) fieldNames = names.trim().split(/\s/).slice(0, maxFields);
      return 'other';
    }
    if (line.startsWith('{')) return readJsonLine(line);
    if (line.includes('\t')) return readCloudFrontLine(line, fieldNames);
    return isS3Line(line) ? readS3Line(line) : readCombinedLine(line);
  };
}

export const noKnownFormat = 'has no known format';

/** Of an unreadable line: `has no time`. Says nothing of its content, which has an address. */
export function explainUnreadable(line: string): string {
  return line.startsWith('{') ? explainJsonLine(line) : noKnownFormat;
}

/** A line that any text file may contain. */
export function isBlankOrComment(line: string): boolean {
  return line.startsWith('#') || line.trim() === '';
}

/**
 * The bucket's owner and its name. Lines of other formats begin with an address, but clients choose
 * the rest.
 */
function isS3Line(line: string): boolean {
  const [, owner = ''] = /^(\S+) [a-z\d][a-z\d._-]+ \[/i.exec(line) ?? [];
  return owner !== '' && canonicalAddress(owner) === undefined;
}

function readCloudFrontLine(line: string, names: readonly string[]): ReadLine {
  const values = line.split('\t', maxFields);
  const fields = new Map(names.map((name, index) => [name, values[index]]));
  return readCloudFrontFields((name) => fields.get(name));
}

/**
 * A line in the Combined Log Format, also behind the name of a virtual host. It does not say which
 * bytes a 206 sent. Its time is the request's end in nginx and its start in Apache.
 */
function readCombinedLine(line: string): ReadLine {
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
function readS3Line(line: string): ReadLine {
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
