import { canonicalAddress } from '../../../lib/canonical-address.ts';
import { tryParseObject } from '../../../lib/parse-json.ts';
import { readCloudFrontFields } from './cloudfront-line.ts';
import type { ReadLine } from './log-line.ts';
import { fieldOrNone, splitRequestLine, tryParseCount } from './log-text.ts';
import { tryParseLogTime } from './log-time.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The contract's name of each field first, then nginx's variables, from which many logs are made. */
const names = {
  time: ['time', 'time_iso8601', 'msec', 'time_local'],
  address: ['remote_addr'],
  method: ['method', 'request_method'],
  // nginx rewrites `$uri` on the way; `$request_uri` stays as it was sent.
  target: ['request_uri', 'uri'],
  status: ['status'],
  bytes: ['body_bytes_sent'],
  range: ['http_range'],
  userAgent: ['http_user_agent'],
  referrer: ['http_referer'],
  seconds: ['request_time'],
  purpose: ['purpose', 'http_sec_purpose', 'http_purpose'],
} as const;

const maxTakenSeconds = 172_800;

/** A line that is a JSON object: with the contract's fields, nginx's variables, or CloudFront's. */
export function readJsonLine(line: string): ReadLine {
  const fields = tryParseObject(line);
  if (fields === undefined) return 'unreadable';
  if (fields['cs-uri-stem'] !== undefined) {
    return readCloudFrontFields((name) => textOf(fields[name]));
  }
  const get = (field: keyof typeof names) => pick(fields, names[field]);
  const endedAt = tryParseLogTime(get('time'));
  const address = canonicalAddress(get('address') ?? '');
  const bodyBytes = tryParseCount(get('bytes'));
  const status = tryParseCount(get('status'));
  if (endedAt === undefined || address === undefined) return 'unreadable';
  if (bodyBytes === undefined || status === undefined) return 'unreadable';
  const request = requestOf(fields, get('method'), get('target'));
  if (request === undefined) return 'other';
  const takenSeconds = Math.min(Math.max(0, Number(get('seconds')) || 0), maxTakenSeconds);
  const range = get('range');
  return {
    at: new Date(endedAt.getTime() - Math.round(takenSeconds * 1000)),
    address,
    ...request,
    status,
    bodyBytes,
    range: range === undefined ? undefined : (fieldOrNone(range) ?? ''),
    userAgent: fieldOrNone(get('userAgent')),
    referrer: fieldOrNone(get('referrer')),
    isPrefetch: /(?:^|[ ,])(?:prefetch|preview)\b/i.test(get('purpose') ?? ''),
  };
}

function requestOf(fields: Fields, method: string | undefined, target: string | undefined) {
  if (method !== undefined && target !== undefined) return { method, target };
  return splitRequestLine(textOf(fields['request']) ?? '');
}

function pick(fields: Fields, among: readonly string[]): string | undefined {
  for (const name of among) {
    const text = textOf(fields[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}
