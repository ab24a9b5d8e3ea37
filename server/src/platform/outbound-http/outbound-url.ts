import { OutboundError } from './outbound-http.ts';

/** Parses an absolute http(s) URL without user information; throws `bad_address` otherwise. */
export function parseOutboundUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new OutboundError('bad_address', 'not an absolute URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('bad_address', `${url.protocol} is neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('bad_address', `${describeUrl(url)} contains user information`);
  }
  return url;
}

/** A URL for messages and logs, without its query, which may contain a token. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * The target of a redirect. Header values arrive as bytes; a Location in raw UTF-8 is decoded, as
 * in browsers.
 */
export function resolveLocation(location: string, base: URL): URL {
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return parseOutboundUrl(text.includes('\ufffd') ? location : text, base);
}
