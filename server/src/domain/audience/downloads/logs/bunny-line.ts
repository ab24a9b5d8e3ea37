import { canonicalAddress } from '../../../../lib/canonical-address.ts';
import type { ReadLine } from './log-line.ts';
import { fieldOrNone, tryParseBytes, withoutHeaders } from './log-text.ts';
import { tryParseLogTime } from './log-time.ts';

const bunnyFields = 12;
const start = /^[A-Z]{1,20}\|\d{3}\|\d{13}\|\d{1,15}\|/;
/** The identifier of the request and its country. */
const end = /\|[\w-]{16,64}\|(?:[A-Z\d]{2}|-)?\r?$/;

/** Whether Bunny has written the line. Other formats begin with an address, a host or a date. */
export function isBunnyLine(line: string): boolean {
  return start.test(line) && end.test(line);
}

/**
 * A line of Bunny's logs, with fields separated by `|`, which Bunny doesn't escape where a client sends
 * it. It has no method, but the response to HEAD is no larger than its headers. It doesn't say which
 * bytes a 206 sent, nor whether the bytes include headers, so they may.
 */
export function readBunnyLine(line: string): ReadLine {
  const fields = line.split('|', bunnyFields + 1);
  if (fields.length !== bunnyFields) return 'unreadable';
  const [, status = '', time, bytes, , client = '', referrer, target = '', , userAgent] = fields;
  const at = tryParseLogTime(time);
  const address = canonicalAddress(client);
  const sentBytes = tryParseBytes(bytes);
  if (at === undefined || address === undefined || sentBytes === undefined) return 'unreadable';
  return {
    at,
    address,
    method: 'GET',
    target,
    status: Number(status),
    bodyBytes: withoutHeaders(sentBytes),
    range: undefined,
    userAgent: fieldOrNone(userAgent),
    referrer: fieldOrNone(referrer),
    isPrefetch: false,
  };
}

export function explainBunnyLine(line: string): string {
  const { length } = line.split('|', bunnyFields + 1);
  return length === bunnyFields ? 'has no IP address' : `does not have ${bunnyFields} fields`;
}
