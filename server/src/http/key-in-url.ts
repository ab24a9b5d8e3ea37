const keyNames = new Set(['key', 'api_key', 'apikey', 'access_token', 'authorization']);
const keyedPath = /^\/v1\/(?:me|sites)(?:\/|$)/;

/**
 * Whether the address carries an API key (decisions, section 2): addresses end in logs and
 * histories, so such a request is refused before anything else is looked at.
 */
export function hasKeyInUrl(url: string): boolean {
  const mark = url.indexOf('?');
  if (mark === -1) return false;
  const keyed = keyedPath.test(url.slice(0, mark));
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (value.startsWith('svc_live_') || name.startsWith('svc_live_')) return true;
    if (keyed && keyNames.has(name.toLowerCase())) return true;
  }
  return false;
}
