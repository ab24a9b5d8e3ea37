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

/** Traefik ends its lines with the duration, behind a number, its router and its service in quotes. */
const endOfTraefik = / \d{1,20} "[^"]*" "[^"]*" \d{1,15}ms$/;
/** Of request, referrer, user agent, router and service. */
const quotesOfTraefik = 10;

/**
 * A line in the Combined Log Format, also behind the name of a virtual host. It does not say which
 * bytes a 206 sent. Its time is the request's end in nginx and its start in Apache and Traefik.
 */
export function readCombinedLine(line: string): ReadLine {
  const isOfTraefik = endOfTraefik.test(line);
  // It escapes nothing: a client that sends quotes could write any status and number of bytes.
  if (isOfTraefik && countQuotes(line) !== quotesOfTraefik) return 'unreadable';
  // Clients choose the user's name in front of the time. It may contain anything, but servers
  // escape its quotes, so unescaped quotes are the server's own.
  const timeEnd = line.indexOf('] "');
  const timeStart = timeEnd < 0 ? -1 : line.lastIndexOf('[', timeEnd);
  if (timeStart < 0) return 'unreadable';
  const at = tryParseClfTime(line.slice(timeStart + 1, timeEnd));
  const address = readAddress(line.slice(0, timeStart));
  const fields = splitFields(line.slice(timeEnd + 1), !isOfTraefik);
  const decode = isOfTraefik ? (text: string) => text : unescapeField;
  const [request, status, bytes, referrer, userAgent] = fields ?? [];
  const bodyBytes = tryParseBytes(bytes);
  if (at === undefined || address === undefined || userAgent === undefined) return 'unreadable';
  if (bodyBytes === undefined || !/^\d{3}$/.test(status ?? '')) return 'unreadable';
  const target = splitRequestLine(decode(request ?? ''));
  if (target === undefined) return 'other';
  return {
    at,
    address,
    ...target,
    status: Number(status),
    bodyBytes,
    range: undefined,
    userAgent: decode(fieldOrNone(userAgent) ?? '') || undefined,
    referrer: decode(fieldOrNone(referrer) ?? '') || undefined,
    isPrefetch: false,
  };
}

/** Undefined: the line is not even similar to this format. */
export function explainCombinedLine(line: string): string | undefined {
  if (endOfTraefik.test(line) && countQuotes(line) !== quotesOfTraefik)
    return 'has quotes that the client sent';
  return commonLine.test(line) ? 'has no user agent' : undefined;
}

/** The Common Log Format, which Fastly writes unless told otherwise, lacks what shows bots. */
const commonLine = /\] "[^"]*" \d{3} (?:\d{1,15}|-)$/;

function countQuotes(line: string): number {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count += 1;
  return count;
}

/** Of `ADDRESS - USER` or `HOST ADDRESS - USER`. Clients choose the host and the user. */
function readAddress(client: string): string | undefined {
  const [first = '', second = '', third] = client.split(' ', 3);
  return (third === '-' ? canonicalAddress(second) : undefined) ?? canonicalAddress(first);
}
