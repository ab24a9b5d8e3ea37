/**
 * Normalizes a request's target to path and query, with unreserved characters unescaped (RFC 3986
 * §6.2.2.2). The router also matches `/%761/x` and `http://host/v1/x`, so without this, such
 * requests would bypass the limit, CORS and the key check.
 */
export function normalizeTarget(target: string): string {
  // Nearly all requests have this form.
  if (target.charCodeAt(0) === slash && !/[%#]/.test(target)) return target;
  // Clients do not send fragments, so a `#` here is part of the path.
  if (target.includes('#')) return normalizeTarget(target.replaceAll('#', '%23'));
  const origin = withHost.exec(target)?.[0] ?? '';
  const rest = target.slice(origin.length);
  const path = origin !== '' && !rest.startsWith('/') ? `/${rest}` : rest;
  const mark = path.indexOf('?');
  return mark === -1 ? decode(path) : decode(path.slice(0, mark)) + path.slice(mark);
}

const withHost = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** Host and port of a target such as `http://host/v1/x`, which clients send to proxies. */
export function authorityOf(target: string): string | undefined {
  return target.charCodeAt(0) === slash ? undefined : withHost.exec(target)?.[1];
}

const slash = '/'.charCodeAt(0);

function decode(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (written, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : written;
  });
}

/** The query of a target, with its question mark. */
export function queryOf(url = ''): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
