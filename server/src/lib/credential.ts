/** Names of query and fragment parameters that hold a credential (decisions.md §6), lower case. */
const CREDENTIAL_PARAMETERS = new Set([
  ...['token', 'access_token', 'auth', 'authorization', 'key', 'api_key', 'apikey', 'secret'],
  ...['password', 'pwd', 'sig', 'signature', 'jwt', 'session', 'sessionid', 'policy'],
  'key-pair-id',
]);
const CREDENTIAL_PREFIXES = ['x-amz-', 'x-goog-', 'x-ms-'];

/** Three base64url parts, the first beginning where a part can begin, escapes included. */
const JWT = /(?:(?<![\w-])|(?<=%[0-9A-Fa-f]{2}))eyJ[\w-]*\.[\w-]+\.[\w-]+/;
const API_KEY = /svc_live_[A-Za-z0-9]/;

/**
 * Whether a text must be shown to nobody (decisions.md §6): it is an absolute URL with user
 * information or a credential parameter, or it holds a JWT or one of our keys anywhere.
 */
export function carriesCredential(value: string): boolean {
  return API_KEY.test(value) || JWT.test(value) || isCredentialUrl(value);
}

/** The part of the rule that reads the value as an absolute URL; false when it is none. */
export function isCredentialUrl(value: string): boolean {
  // Nearly every GUID is no URL, which parsing it would tell at many times the price.
  const url = value.includes(':') ? URL.parse(value.trim()) : null;
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return true;
  // A fragment may hold a path with a query of its own.
  const queries = [url.search.slice(1), ...url.hash.slice(1).split('?')];
  return queries.some((query) =>
    [...new URLSearchParams(query).keys()].some(isCredentialParameter),
  );
}

function isCredentialParameter(name: string): boolean {
  // What was escaped for XML once too often begins with the rest of `&amp;`.
  const known = name
    .toLowerCase()
    .replace(/^(?:amp;)+/, '')
    .trim();
  return (
    CREDENTIAL_PARAMETERS.has(known) ||
    CREDENTIAL_PREFIXES.some((prefix) => known.startsWith(prefix))
  );
}
