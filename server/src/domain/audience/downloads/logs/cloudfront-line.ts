import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import type { ReadLine } from './log-line.ts';
import { decodePercents, fieldOrNone, tryParseBytes, withoutHeaders } from './log-text.ts';
import { startedAt, tryParseLogTime } from './log-time.ts';

/** The fields of standard logs, for a file that does not begin with their names. */
export const standardFields: readonly string[] = (
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) ' +
  'cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header ' +
  'cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher ' +
  'x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port ' +
  'time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len ' +
  'sc-range-start sc-range-end'
).split(' ');

/** A line of CloudFront, by the names of its fields. */
export function readCloudFrontFields(get: (name: string) => string | undefined): ReadLine {
  const endedText = `${get('date')}T${get('time')}Z`;
  const endedAt = tryParseLogTime(endedText);
  const address = canonicalAddress(get('c-ip') ?? '');
  const path = get('cs-uri-stem');
  const sentBytes = tryParseBytes(get('sc-bytes'));
  if (endedAt === undefined || address === undefined) return 'unreadable';
  if (path === undefined || sentBytes === undefined) return 'unreadable';
  const query = fieldOrNone(get('cs-uri-query'));
  return {
    at: startedAt(endedAt, endedText, Number(get('time-taken')) || 0),
    address,
    method: get('cs-method') ?? '',
    target: query === undefined ? path : `${path}?${decodePercents(query)}`,
    status: tryParseBytes(get('sc-status')) ?? 0,
    bodyBytes: countBodyBytes(sentBytes, get),
    range: describeRange(get),
    userAgent: decodePercents(fieldOrNone(get('cs(User-Agent)')) ?? '') || undefined,
    referrer: decodePercents(fieldOrNone(get('cs(Referer)')) ?? '') || undefined,
    isPrefetch: false,
  };
}

/**
 * `sc-bytes` counts the headers of the response too. A complete response has sent its Content-Length; of
 * others, only the certain part counts.
 */
function countBodyBytes(sentBytes: number, get: (name: string) => string | undefined): number {
  const length = tryParseBytes(fieldOrNone(get('sc-content-len')));
  const wasCutOff = get('x-edge-detailed-result-type') === 'ClientCommError';
  if (length !== undefined && sentBytes >= length && !wasCutOff) return length;
  return Math.min(length ?? sentBytes, withoutHeaders(sentBytes));
}

/** The Content-Range of the response. */
function describeRange(get: (name: string) => string | undefined): string | undefined {
  const [start, end] = [get('sc-range-start'), get('sc-range-end')];
  const isGiven = /^\d{1,15}$/.test(start ?? '') && /^\d{1,15}$/.test(end ?? '');
  return isGiven ? `bytes=${start}-${end}` : undefined;
}
