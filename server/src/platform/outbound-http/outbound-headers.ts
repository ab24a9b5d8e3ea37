/** Headers that any host may see; all others are for one origin. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
]);

/** The caller's headers in lower case. We set `user-agent`; the connection sets the rest. */
export function startingHeaders(
  given: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br' };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  headers['user-agent'] = userAgent;
  return headers;
}

/** `Podstead/1.0 (+https://…)` in the form that crawlers use: some firewalls know only this one. */
export function compatibleUserAgent(userAgent: string): string {
  return userAgent.replace(/^(\S+) \((.+)\)$/, 'Mozilla/5.0 (compatible; $1; $2)');
}

/** Removes Authorization, Cookie, signatures and all other unknown headers. */
export function headersForAnotherOrigin(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => harmlessHeaders.has(name) || name === 'user-agent',
  );
  return Object.fromEntries(kept);
}

/** Removes headers that describe the body. */
export function headersWithoutBody(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  );
}

/** Joins repeated headers as in RFC 9110 §5.3. */
export function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      flat.push([name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]);
    }
  }
  return Object.fromEntries(flat);
}
