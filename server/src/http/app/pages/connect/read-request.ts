import { type CheckedRequest, checkConnection } from '../../../../domain/exchange/sites/index.ts';
import type { ErrorDetail } from '../../../../domain/foundation/errors.ts';
import { isFormTarget } from '../../../pages/page.ts';

/** The parameters of the approval page (SITE-4). */
const names = [
  'site_url',
  'rest_root',
  'admin_url',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'site_name',
] as const;
type Name = (typeof names)[number];

export type ReadRequest =
  | { readonly request: CheckedRequest; readonly problems: readonly [] }
  | { readonly request: undefined; readonly problems: readonly ErrorDetail[] };

/** The request of a plugin, or all its problems. */
export function readRequest(query: Readonly<Record<string, unknown>>): ReadRequest {
  const twice = names.filter((name) => Array.isArray(query[name]));
  const given = (name: Name) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const { value, details } = checkConnection({
    siteUrl: given('site_url'),
    restRoot: given('rest_root'),
    adminUrl: given('admin_url'),
    siteName: given('site_name'),
    redirectUri: given('redirect_uri'),
    state: given('state'),
    codeChallenge: given('code_challenge'),
    codeChallengeMethod: given('code_challenge_method'),
  });
  const problems = [
    ...twice.map((field) => ({ field, message: 'This is given twice.' })),
    ...details.filter(({ field }) => !twice.some((name) => name === field)),
  ];
  if (value === undefined || problems.length > 0) return { request: undefined, problems };
  if (isFormTarget(new URL(value.redirectUri).origin)) return { request: value, problems: [] };
  const message = 'The host of this address has characters that hosts of websites do not have.';
  return { request: undefined, problems: [{ field: 'site_url', message }] };
}

/** The URL of this page with the plugin's request. */
export function connectUrl(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string') given.set(name, value);
  }
  return `${path}?${given.toString()}`;
}
