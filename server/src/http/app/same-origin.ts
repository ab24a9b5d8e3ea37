import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../errors.ts';

/**
 * Refuses a request that a page of another site may have sent. Browsers name the sender of whatever
 * can change something, and no page can lie about it; what names nobody is refused too.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): void {
  const { origin, host } = headers;
  const ours = origin === undefined ? isSentFromHere(headers) : isOurs(origin, host, baseUrl);
  if (ours) return;
  throw new HttpError({
    status: 403,
    code: 'forbidden',
    message: `This is taken only from pages at ${baseUrl}.`,
  });
}

/**
 * Whether one of our account pages led here. Pages with what podcasters wrote may hold any link, so
 * they do not count; and no page can name another as the one that it is.
 */
export function isLedHereByApp({ referer, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  if (referer === undefined || !URL.canParse(referer)) return false;
  const { origin, pathname } = new URL(referer);
  return isOurs(origin, host, baseUrl) && pathname.startsWith('/app/');
}

/** By whatever name this server was asked: that of the page is the one its cookie belongs to. */
function isOurs(origin: string, host: string | undefined, baseUrl: string): boolean {
  const asked = host && `${new URL(baseUrl).protocol}//${host}`;
  return origin === baseUrl || origin === asked;
}

/** A browser that leaves Origin away says at least this. */
function isSentFromHere(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}
