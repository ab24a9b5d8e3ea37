/** What may be told to any host; everything else a caller sends was meant for one origin. */
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

/** The caller's headers in lower case. `user-agent` is ours to say, the rest the connection's. */
export function startingHeaders(
  given: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br' };
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  headers['user-agent'] = userAgent;
  return headers;
}

/** Without Authorization, Cookie, signatures and whatever else is not known to be harmless. */
export function headersForAnotherOrigin(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => harmlessHeaders.has(name) || name === 'user-agent',
  );
  return Object.fromEntries(kept);
}

/** Without what describes a body that is no longer sent. */
export function headersWithoutBody(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  );
}

/** A name sent several times has its values joined as RFC 9110 §5.3 says. */
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
