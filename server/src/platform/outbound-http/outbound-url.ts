import { OutboundError } from './outbound-http.ts';

/** An absolute http(s) address without login details; anything else is `bad_address`. */
export function parseOutboundUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new OutboundError('bad_address', 'not an absolute address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('bad_address', `${url.protocol} is neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('bad_address', `${nameOf(url)} comes with login details`);
  }
  return url;
}

/** How messages and the log name an address: a query may hold somebody's token. */
export function nameOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/**
 * The address a redirect leads to. HTTP headers reach us as bytes: a Location in raw UTF-8, which
 * browsers follow, is read as that.
 */
export function resolveLocation(location: string, base: URL): URL {
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return parseOutboundUrl(text.includes('\ufffd') ? location : text, base);
}
