import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import { tryParseObject } from '../../../../lib/parse-json.ts';
import { readCloudFrontFields } from './cloudfront-line.ts';
import type { ReadLine } from './log-line.ts';
import { fieldOrNone, splitRequestLine, tryParseBytes } from './log-text.ts';
import { startedAt, tryParseLogTime } from './log-time.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The name in COUNT-17 of each field first, then nginx's variables, from which many logs are made. */
const names = {
  time: ['time', 'msec', 'time_iso8601', 'time_local'],
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

/** Without these, a line is unreadable. */
const needed = {
  time: tryParseLogTime,
  address: (text: string | undefined) => canonicalAddress(text ?? ''),
  bytes: tryParseBytes,
  status: tryParseBytes,
} as const;
const cloudFrontNeeds = ['date', 'time', 'c-ip', 'sc-bytes'];

/** A line that is a JSON object: with the fields of COUNT-17, nginx's variables, or CloudFront's. */
export function readJsonLine(line: string): ReadLine {
  const fields = tryParseObject(line);
  if (fields === undefined) return 'unreadable';
  if (isOfCloudFront(fields)) {
    return readCloudFrontFields((name) => textOf(fields[name]));
  }
  const get = (field: keyof typeof names) => pick(fields, names[field]);
  const endedAt = needed.time(get('time'));
  const address = needed.address(get('address'));
  const bodyBytes = needed.bytes(get('bytes'));
  const status = needed.status(get('status'));
  if (endedAt === undefined || address === undefined) return 'unreadable';
  if (bodyBytes === undefined || status === undefined) return 'unreadable';
  if (missingOfRequest(fields).length > 0) return 'unreadable';
  const request = requestOf(fields, get('method'), get('target'));
  if (request === undefined) return 'other';
  const range = get('range');
  return {
    at: startedAt(endedAt, get('time') ?? '', Number(get('seconds')) || 0),
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

/** Of an unreadable line: which fields it lacks, and which have no known form. */
export function explainJsonLine(line: string): string {
  const fields = tryParseObject(line);
  if (fields === undefined) return 'is not a complete JSON object';
  const missing: string[] = [];
  const strange: string[] = [];
  if (isOfCloudFront(fields)) {
    missing.push(...cloudFrontNeeds.filter((name) => textOf(fields[name]) === undefined));
  } else {
    for (const field of Object.keys(needed) as (keyof typeof needed)[]) {
      const text = pick(fields, names[field]);
      if (text === undefined) missing.push(names[field][0]);
      else if (needed[field](text) === undefined) strange.push(names[field][0]);
    }
    missing.push(...missingOfRequest(fields));
  }
  const troubles = [
    ...missing.map((name) => `no ${name}`),
    ...strange.map((name) => `a ${name} that cannot be read`),
  ];
  return troubles.length === 0 ? 'has values that cannot be read' : `has ${troubles.join(' and ')}`;
}

const isOfCloudFront = (fields: Fields) => fields['cs-uri-stem'] !== undefined;

function missingOfRequest(fields: Fields): string[] {
  if (textOf(fields['request']) !== undefined) return [];
  const lacks = (field: 'method' | 'target') => pick(fields, names[field]) === undefined;
  return [...(lacks('method') ? ['method'] : []), ...(lacks('target') ? ['uri'] : [])];
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
