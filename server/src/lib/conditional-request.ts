import { CODINGS, type ContentCoding } from './content-coding.ts';
import { tryParseHttpDate } from './http-date.ts';

/** The validators of the selected representation. */
export interface Validators {
  /** Hash of the bytes before any coding; letters, digits, `-` and `_`, all of one length. */
  readonly hash: string;
  readonly lastModified?: Date | undefined;
}

/** As in Node's `IncomingHttpHeaders`. */
export interface ConditionalHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
  readonly 'if-unmodified-since'?: string | undefined;
}

export type ConditionOutcome = 'proceed' | 'not_modified' | 'precondition_failed';

/** `"hash"`, `"hash-gzip"`, `"hash-br"`: strong, one for each coding (REQ-21). */
export function formatEtag(hash: string, coding: ContentCoding = 'identity'): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
}

/**
 * Evaluates the conditions of a request for an existing resource, in the order of RFC 9110 §13.2.2:
 * 304 for `not_modified`, 412 for `precondition_failed`. Malformed dates, and dates without a
 * counterpart, are ignored.
 */
export function evaluateConditions(
  method: string,
  headers: ConditionalHeaders,
  validators: Validators,
): ConditionOutcome {
  const ifMatch = headers['if-match'];
  const ifUnmodifiedSince = headers['if-unmodified-since'];
  if (ifMatch !== undefined) {
    if (!matchesEtagList(ifMatch, validators.hash, 'strong')) return 'precondition_failed';
  } else if (ifUnmodifiedSince !== undefined) {
    if (isModifiedSince(validators, ifUnmodifiedSince) === true) return 'precondition_failed';
  }

  const isRead = method === 'GET' || method === 'HEAD';
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = headers['if-modified-since'];
  if (ifNoneMatch !== undefined) {
    if (!matchesEtagList(ifNoneMatch, validators.hash, 'weak')) return 'proceed';
    return isRead ? 'not_modified' : 'precondition_failed';
  }
  if (isRead && ifModifiedSince !== undefined) {
    if (isModifiedSince(validators, ifModifiedSince) === false) return 'not_modified';
  }
  return 'proceed';
}

/**
 * Whether the Range of a request with this If-Range applies (RFC 9110 §13.1.5). True without
 * If-Range; otherwise it must equal the strong ETag or the date of the bytes sent now.
 */
export function isRangeCurrent(
  ifRange: string | undefined,
  validators: Validators,
  coding: ContentCoding = 'identity',
): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === formatEtag(validators.hash, coding);
  const { lastModified } = validators;
  return lastModified !== undefined && tryParseHttpDate(ifRange) === wholeSecond(lastModified);
}

/** Undefined if unknown. */
function isModifiedSince(validators: Validators, header: string): boolean | undefined {
  const since = tryParseHttpDate(header);
  if (since === undefined || validators.lastModified === undefined) return undefined;
  return wholeSecond(validators.lastModified) > since;
}

function wholeSecond(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

/**
 * Whether a list of entity tags, or `*`, has the hash in any coding. Reads the list up to its first
 * error.
 */
function matchesEtagList(header: string, hash: string, comparison: 'strong' | 'weak'): boolean {
  if (header === `"${hash}"`) return true;
  const list = header.trim();
  if (list === '*') return true;

  const member = /[\t ,]*(W\/)?"([!#-~\x80-\xff]*)"[\t ]*(?=,|$)/y;
  for (let match = member.exec(list); match !== null; match = member.exec(list)) {
    const [, weak, tag = ''] = match;
    if (weak !== undefined && comparison === 'strong') continue;
    if (tag === hash || isCodedForm(tag, hash)) return true;
  }
  return false;
}

function isCodedForm(tag: string, hash: string): boolean {
  return tag.startsWith(hash) && CODINGS.some((coding) => tag === `${hash}-${coding}`);
}
