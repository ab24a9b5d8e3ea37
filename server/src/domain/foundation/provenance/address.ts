/** The parts of an absolute http(s) address that a fingerprint needs. */
export interface Address {
  readonly scheme: ColorScheme;
  /** By the rules of WHATWG URL: lower case, punycode, IPv6 in brackets. */
  readonly hostname: string;
  /** The hostname, with the port when it is not the scheme's own. */
  readonly host: string;
  /** As it was written, up to the query or fragment: dot segments, case and escapes are kept. */
  readonly path: string;
}

export type ColorScheme = 'http' | 'https';

const PARTS = /^(https?):\/\/([^/?#]*)([^?#]*)/i;

/**
 * Reads `scheme://authority/path`, which must contain neither white space nor a backslash. User
 * information, query and fragment are dropped. Undefined for another scheme or a wrong authority.
 */
export function tryParseAddress(text: string): Address | undefined {
  const [, scheme, authority = '', path = ''] = PARTS.exec(text) ?? [];
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  // `https:///a.example/` has no authority, although browsers repair it.
  if (scheme === undefined || hostAndPort === '') return undefined;
  // Only the authority is parsed, because the parser would resolve dot segments of the path.
  const url = URL.parse(`${scheme}://${hostAndPort}/`);
  if (url === null) return undefined;
  return {
    scheme: url.protocol === 'http:' ? 'http' : 'https',
    hostname: url.hostname,
    host: url.host,
    path,
  };
}
