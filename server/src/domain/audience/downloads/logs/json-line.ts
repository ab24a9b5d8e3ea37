import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import { tryParseObject } from '../../../../lib/parse-json.ts';
import { readCloudFrontFields } from './cloudfront-line.ts';
import { formatOf, type JsonFields, type JsonFormat, type JsonValue } from './json-formats.ts';
import type { ReadLine } from './log-line.ts';
import { fieldOrNone, splitRequestLine, tryParseBytes, withoutHeaders } from './log-text.ts';
import { startedAt, tryParseLogTime } from './log-time.ts';

/** Without these, a line is unreadable. */
const needed = {
  time: tryParseLogTime,
  address: parseAddress,
  bytes: tryParseBytes,
  status: tryParseBytes,
} as const;
const contentRange = /^bytes (\d{1,15}-\d{1,15})\/(?:\d{1,15}|\*)$/i;
const cloudFrontNeeds = ['date', 'time', 'c-ip', 'sc-bytes'];

/** A line that is a JSON object, in one of the `json-formats.ts` or that of CloudFront. */
export function readJsonLine(line: string): ReadLine {
  const fields = tryParseObject(line);
  if (fields === undefined) return 'unreadable';
  if (isOfCloudFront(fields)) {
    return readCloudFrontFields((name) => textOf(fields[name]));
  }
  const format = formatOf(fields);
  if (format.isRequest?.(fields) === false) return 'other';
  const get = (value: JsonValue) => pick(fields, format, value);
  const loggedAt = needed.time(get('time'));
  const address = needed.address(get('address'));
  const bodyBytes = readBodyBytes(get);
  const status = needed.status(get('status'));
  if (loggedAt === undefined || address === undefined) return 'unreadable';
  if (bodyBytes === undefined || status === undefined) return 'unreadable';
  if (missingOfRequest(fields, format).length > 0) return 'unreadable';
  const request = requestOf(fields, get('method'), get('target'));
  if (request === undefined) return 'other';
  const seconds = Number(get('seconds')) || 0;
  return {
    at: format.isTimeOfStart ? loggedAt : startedAt(loggedAt, get('time') ?? '', seconds),
    address,
    ...request,
    status,
    bodyBytes,
    range: readRange(fields, format, get),
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
    const format = formatOf(fields);
    for (const value of Object.keys(needed) as (keyof typeof needed)[]) {
      const other = value === 'bytes' ? pick(fields, format, 'bytesWithHeaders') : undefined;
      const text = pick(fields, format, value) ?? other;
      if (text === undefined) missing.push(nameOf(format, value));
      else if (needed[value](text) === undefined) strange.push(nameOf(format, value));
    }
    missing.push(...missingOfRequest(fields, format));
  }
  const troubles = [
    ...missing.map((name) => `no ${name}`),
    ...strange.map((name) => `a ${name} that cannot be read`),
  ];
  return troubles.length === 0 ? 'has values that cannot be read' : `has ${troubles.join(' and ')}`;
}

const isOfCloudFront = (fields: JsonFields) => fields['cs-uri-stem'] !== undefined;

/** Behind a trusted proxy, Traefik logs X-Forwarded-For, whose last address that proxy has added. */
function parseAddress(text: string | undefined): string | undefined {
  return canonicalAddress(text?.slice(text.lastIndexOf(',') + 1).trim() ?? '');
}

type Get = (value: JsonValue) => string | undefined;

function readBodyBytes(get: Get): number | undefined {
  const bytes = get('bytes');
  if (bytes !== undefined) return tryParseBytes(bytes);
  const sent = tryParseBytes(get('bytesWithHeaders'));
  return sent === undefined ? undefined : withoutHeaders(sent);
}

function readRange(fields: JsonFields, format: JsonFormat, get: Get): string | undefined {
  const range = get('range');
  if (range !== undefined) return fieldOrNone(range) ?? '';
  const [, sent] = contentRange.exec(get('contentRange') ?? '') ?? [];
  if (sent !== undefined) return `bytes=${sent}`;
  const { allHeaders } = format;
  return allHeaders !== undefined && isObject(follow(fields, allHeaders)) ? '' : undefined;
}

/** `uri` is the only name of a path that this project has chosen; nginx has another one first. */
function nameOf({ paths }: JsonFormat, value: JsonValue): string {
  const first = paths[value]?.[0] ?? [];
  return first[0] === 'request_uri' ? 'uri' : first.join('.');
}

function missingOfRequest(fields: JsonFields, format: JsonFormat): string[] {
  if (textOf(fields['request']) !== undefined) return [];
  const names = ['method', 'target'] as const;
  const missing = names.filter((name) => pick(fields, format, name) === undefined);
  return missing.map((name) => nameOf(format, name));
}

function requestOf(fields: JsonFields, method: string | undefined, target: string | undefined) {
  if (method !== undefined && target !== undefined) return { method, target };
  return splitRequestLine(textOf(fields['request']) ?? '');
}

function pick(fields: JsonFields, { paths }: JsonFormat, value: JsonValue): string | undefined {
  for (const path of paths[value] ?? []) {
    const text = textOf(follow(fields, path));
    if (text !== undefined) return text;
  }
  return undefined;
}

function follow(fields: JsonFields, path: readonly string[]): unknown {
  let value: unknown = fields;
  for (const name of path) {
    if (!isObject(value)) return undefined;
    value = value[name];
  }
  return value;
}

function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of a list of headers with the same name, the first, as servers use it. */
function textOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first === 'number') return String(first);
  return typeof first === 'string' ? first : undefined;
}
