/** Names of query and fragment parameters that hold a credential (PRINT-17), in lower case. */
const CREDENTIAL_PARAMETERS = new Set([
  ...['token', 'access_token', 'auth', 'authorization', 'key', 'api_key', 'apikey', 'secret'],
  ...['password', 'pwd', 'sig', 'signature', 'jwt', 'session', 'sessionid', 'policy'],
  'key-pair-id',
]);
const CREDENTIAL_PREFIXES = ['x-amz-', 'x-goog-', 'x-ms-'];
/** Real URLs have a tenth of these. Reading more takes long, and others choose what is read. */
const MOST_PARAMETERS = 200;

/** Three base64url parts. Escapes count as boundaries. */
const JWT = /(?:(?<![\w-])|(?<=%[0-9A-Fa-f]{2}))eyJ[\w-]*\.[\w-]+\.[\w-]+/;
const API_KEY = /svc_live_[A-Za-z0-9]/;

/**
 * Whether a text must not be shown (PRINT-17): it is an absolute URL with user information, with
 * a credential parameter or with too many parameters to look at, or it contains a JWT or one of
 * our keys.
 */
export function carriesCredential(value: string): boolean {
  return API_KEY.test(value) || JWT.test(value) || isCredentialUrl(value);
}

/** The part of the rule for absolute URLs; false for other texts. */
export function isCredentialUrl(value: string): boolean {
  // Most GUIDs are not URLs; this check is many times cheaper than parsing.
  const url = value.includes(':') ? URL.parse(value.trim()) : null;
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return true;
  if (hasTooManyParameters(url)) return true;
  // A fragment may hold a path with a query of its own.
  const queries = [url.search.slice(1), ...url.hash.slice(1).split('?')];
  return queries.some(
    (query) => query !== '' && [...new URLSearchParams(query).keys()].some(isCredentialParameter),
  );
}

function hasTooManyParameters({ search, hash }: URL): boolean {
  let left = MOST_PARAMETERS;
  for (const _parameter of (search + hash).matchAll(/[^&?#]+/g)) {
    if (left === 0) return true;
    left -= 1;
  }
  return false;
}

function isCredentialParameter(name: string): boolean {
  // Text that was escaped for XML twice leaves the rest of `&amp;` at the beginning.
  const known = name
    .toLowerCase()
    .replace(/^(?:amp;)+/, '')
    .trim();
  return (
    CREDENTIAL_PARAMETERS.has(known) ||
    CREDENTIAL_PREFIXES.some((prefix) => known.startsWith(prefix))
  );
}
