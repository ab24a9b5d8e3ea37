import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import { explainBunnyLine, isBunnyLine, readBunnyLine } from './bunny-line.ts';
import { readCloudFrontFields, standardFields } from './cloudfront-line.ts';
import { explainCombinedLine, readCombinedLine } from './combined-line.ts';
import { explainJsonLine, readJsonLine } from './json-line.ts';
import type { ReadLine } from './log-line.ts';
import { fieldOrNone, splitFields, tryParseBytes } from './log-text.ts';
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
  return (text) => {
    if (isBlankOrComment(text)) {
      const [, names] = /^#Fields:\s?(.*)$/.exec(text) ?? [];
      if (names !== undefined) fieldNames = names.trim().split(/\s/).slice(0, maxFields);
      return 'other';
    }
    const line = withoutSyslogHeader(text);
    if (line.startsWith('{')) return readJsonLine(line);
    if (isBunnyLine(line)) return readBunnyLine(line);
    if (line.includes('\t')) return readCloudFrontLine(line, fieldNames);
    return isS3Line(line) ? readS3Line(line) : readCombinedLine(line);
  };
}

export const noKnownFormat = 'has no known format';

/** Of an unreadable line: `has no time`. Says nothing of its content, which has an address. */
export function explainUnreadable(text: string): string {
  const line = withoutSyslogHeader(text);
  if (line.startsWith('{')) return explainJsonLine(line);
  const known = isBunnyLine(line) ? explainBunnyLine(line) : explainCombinedLine(line);
  return known ?? noKnownFormat;
}

/**
 * What Fastly and syslog write before a line: `<134>2026-03-10T12:00:05Z cache-fra1 podstead[4121]: `. No
 * other format begins with `<`.
 */
function withoutSyslogHeader(line: string): string {
  if (!line.startsWith('<')) return line;
  return line.slice(syslogHeader.exec(line)?.[0].length ?? 0);
}

const syslogHeader = /^<\d{1,3}>\S{1,40} \S{1,255} [^\s[]{1,255}\[\d{1,20}\]: /;

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
