const keyNames = new Set(['key', 'api_key', 'apikey', 'access_token', 'authorization']);
const keyStart = /^\s*(?:bearer\s+)?svc_live_/i;
const keyedPath = /^\/v1\/(?:me|sites)(?:\/|$)/;

/**
 * Whether the URL contains an API key. REQ-14 refuses such requests before any other check,
 * because URLs are stored in logs and browser histories.
 */
export function hasKeyInUrl(url: string): boolean {
  const mark = url.indexOf('?');
  if (mark === -1) return false;
  const keyed = keyedPath.test(url.slice(0, mark));
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (keyStart.test(value) || keyStart.test(name)) return true;
    // Some clients write lists as `key[]` and `key[0]`.
    if (keyed && keyNames.has(name.toLowerCase().split('[', 1)[0] ?? '')) return true;
  }
  return false;
}
