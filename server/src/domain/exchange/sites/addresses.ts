import { domainToUnicode } from 'node:url';

/** The rules of a site's addresses (SITE-12, SITE-13, SITE-14). */

/** Longest address of any kind, in characters. */
export const maxAddressChars = 2048;

/** A site's home address in normal form, with its host and path. */
export interface Home {
  /** Lower-case punycode host, no default port, a slash at its end. */
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

/** The endings of a site's REST address, after its home address. */
const restForms = ['wp-json/', '?rest_route=/', 'index.php?rest_route=/'] as const;

/** Undefined unless it is an https address without query, fragment, port or login details. */
export function tryParseHome(text: string): Home | undefined {
  const url = tryParseAddress(text);
  if (url === undefined || url.search !== '' || text.includes('?')) return undefined;
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  if (path.includes('//')) return undefined;
  const home = { url: `${url.origin}${path}`, origin: url.origin, path };
  return home.url.length <= maxAddressChars ? home : undefined;
}

/** For the address of a stored site, which is always valid. */
export function parseHome(siteUrl: string): Home {
  const home = tryParseHome(siteUrl);
  if (home === undefined) throw new Error(`${siteUrl} is not a home URL`);
  return home;
}

/** The REST address in normal form; undefined unless it is one of the three forms of this home. */
export function tryParseRestRoot(home: Home, text: string): string | undefined {
  const given = tryParseAddress(text)?.href;
  return restForms.map((form) => `${home.url}${form}`).find((root) => root === given);
}

/** The address of a page of the site's administration; undefined if it is not one. */
export function tryParseAdminUrl(home: Home, text: string): string | undefined {
  const url = tryParseBelow(home, text);
  const behindHome = url?.pathname.slice(home.path.length - 1) ?? '';
  return behindHome.includes('/wp-admin/') ? url?.href : undefined;
}

/** The address of a post; undefined unless it is on the site's host, under its home path. */
export function tryParsePostUrl(home: Home, text: string): string | undefined {
  return tryParseBelow(home, text)?.href;
}

/** The address of the plugin's `route`, with `query`. */
export function pluginUrl(
  restRoot: string,
  route: 'challenge' | 'ping',
  query: Readonly<Record<string, string>> = {},
): string {
  const url = `${restRoot}podstead/v1/${route}`;
  const parameters = new URLSearchParams(query).toString();
  if (parameters === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${parameters}`;
}

/** Whether the text can be an address of any site. */
export function isSiteAddress(text: string): boolean {
  return tryParseAddress(text) !== undefined;
}

function tryParseBelow(home: Home, text: string): URL | undefined {
  const url = tryParseAddress(text);
  return url?.origin === home.origin && url.pathname.startsWith(home.path) ? url : undefined;
}

/** ColorScheme, host and port, path; the parser would accept more than this. */
const form = /^https:\/\/[^/?#@\\]+(|\/[^?#]*)(?:\?[^#]*)?$/i;
/** The parser strips or converts these, so the requested address would differ from the text. */
const strange = /[\s\p{Cc}\p{Cs}\\]/u;
/**
 * `.` and `..`, because servers handle them differently: also encoded, and with the parameters that
 * Java servers remove (`..;x`).
 */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|;|%3b|$)/i;
/**
 * Encoded slashes, backslashes and control characters, a percent sign without two digits, and what is
 * encoded twice, because some servers decode twice.
 */
const unsafeEscape = /%(?:2f|5c|[01][\da-f]|7f|25[\da-f]{2}|(?![\da-f]{2}))/i;

/**
 * An https address without credentials, port or fragment, whose path is unambiguous. The host
 * becomes lower-case punycode, escapes upper-case; the path keeps its case.
 */
function tryParseAddress(text: string): URL | undefined {
  if (text.length > maxAddressChars || strange.test(text)) return undefined;
  const path = form.exec(text)?.[1];
  if (path === undefined || dotSegment.test(path) || unsafeEscape.test(path)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.port !== '' || !isHost(url.hostname)) return undefined;
  url.pathname = url.pathname.replace(/%[\da-f]{2}/gi, (hex) => hex.toUpperCase());
  // Escapes and punycode make it longer than it was written.
  return url.href.length <= maxAddressChars ? url : undefined;
}

/** The parser accepts empty labels, and punycode that decodes to nothing. */
function isHost(hostname: string): boolean {
  const labels = domainToUnicode(hostname).split('.');
  return labels.every((label) => label !== '' && !label.startsWith('xn--'));
}
