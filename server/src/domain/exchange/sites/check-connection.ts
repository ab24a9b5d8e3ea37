import type { ErrorDetail } from '../../foundation/errors.ts';
import {
  type Home,
  isSiteAddress,
  maxAddressChars,
  parseHome,
  tryParseAdminUrl,
  tryParseHome,
  tryParsePostUrl,
  tryParseRestRoot,
} from './addresses.ts';
import type { SiteAddresses } from './site.ts';

/** The unchecked addresses of a site. */
export interface GivenAddresses {
  readonly siteUrl: string | undefined;
  readonly restRoot: string | undefined;
  readonly adminUrl?: string | null | undefined;
  readonly siteName?: string | null | undefined;
}

/** The unchecked parameters of the approval page. */
export interface ConnectionRequest extends GivenAddresses {
  readonly redirectUri: string | undefined;
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
}

/** A valid request for approval, with addresses in normal form. */
export interface CheckedRequest extends SiteAddresses {
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
}

/** `value` is undefined exactly if there are details. */
export type Checked<T> =
  | { readonly value: T; readonly details: readonly [] }
  | { readonly value: undefined; readonly details: readonly ErrorDetail[] };

const challengeForm = /^[A-Za-z0-9_-]{43}$/;
const stateForm = /^[\x21-\x7e]{1,500}$/;
/** In code points; without control and format characters (SITE-36). */
const siteNameForm = /^[^\p{Cc}\p{Cf}\p{Cs}]{1,200}$/u;

/** Returns all problems of a request for approval, or else the request. */
export function checkConnection(request: ConnectionRequest): Checked<CheckedRequest> {
  const { state = '', codeChallenge = '', codeChallengeMethod } = request;
  const home = tryParseHome(request.siteUrl ?? '');
  const addresses = checkAddresses(request);
  const redirectUri = parseBelow(home, request.redirectUri, tryParseAdminUrl);
  const details = [
    ...addresses.details,
    ...refuseUnless(redirectUri !== undefined, 'redirect_uri', adminWords),
    ...refuseUnless(
      stateForm.test(state),
      'state',
      'This must be 1 to 500 visible ASCII characters.',
    ),
    ...checkChallenge(codeChallenge),
    ...refuseUnless(codeChallengeMethod === 'S256', 'code_challenge_method', 'This must be S256.'),
  ];
  if (details.length > 0 || !addresses.value || !redirectUri) return { value: undefined, details };
  return { value: { ...addresses.value, redirectUri, state, codeChallenge }, details: [] };
}

/** Returns the problems of the addresses and the challenge of an approval. */
export function checkApproval(
  approval: GivenAddresses & { readonly codeChallenge: string },
): ErrorDetail[] {
  return [...checkAddresses(approval).details, ...checkChallenge(approval.codeChallenge)];
}

function checkChallenge(codeChallenge: string): ErrorDetail[] {
  const words = 'This must be the SHA-256 of the verifier in base64url: 43 characters.';
  return refuseUnless(challengeForm.test(codeChallenge), 'code_challenge', words);
}

/** Returns the problems of the addresses alone. */
export function checkAddresses(given: GivenAddresses): Checked<SiteAddresses> {
  const siteName = given.siteName ?? null;
  const givenAdmin = given.adminUrl ?? null;
  const home = tryParseHome(given.siteUrl ?? '');
  const restRoot = parseBelow(home, given.restRoot, tryParseRestRoot);
  const adminUrl = givenAdmin === null ? null : parseBelow(home, givenAdmin, tryParseAdminUrl);
  const isNamed = siteName === null || siteNameForm.test(siteName);
  const details = [
    ...refuseUnless(home !== undefined, 'site_url', homeWords),
    ...refuseUnless(restRoot !== undefined, 'rest_root', restRootWords),
    ...refuseUnless(adminUrl !== undefined, 'admin_url', adminWords),
    ...refuseUnless(isNamed, 'site_name', siteNameWords),
  ];
  if (details.length > 0 || !home || restRoot === undefined || adminUrl === undefined) {
    return { value: undefined, details };
  }
  const value = { siteUrl: home.url, restRoot, adminUrl, siteName: siteName?.trim() || null };
  return { value, details: [] };
}

/** Returns the problems of addresses that a site reports. */
export function checkReported(
  { siteUrl }: Pick<SiteAddresses, 'siteUrl'>,
  given: { readonly adminUrl?: string | undefined; readonly postUrl?: string | undefined },
): ErrorDetail[] {
  const home = parseHome(siteUrl);
  const { adminUrl, postUrl } = given;
  const isAdmin = adminUrl === undefined || tryParseAdminUrl(home, adminUrl) !== undefined;
  const isPost = postUrl === undefined || tryParsePostUrl(home, postUrl) !== undefined;
  return [
    ...refuseUnless(isAdmin, 'admin_url', adminWords),
    ...refuseUnless(isPost, 'post_url', postWords),
  ];
}

/** Without a valid home, other addresses cannot be checked, so they are not refused. */
function parseBelow(
  home: Home | undefined,
  text: string | undefined,
  parse: (home: Home, text: string) => string | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  if (home === undefined) return isSiteAddress(text) ? text : undefined;
  return parse(home, text);
}

function refuseUnless(isRight: boolean, field: string, message: string): ErrorDetail[] {
  return isRight ? [] : [{ field, message }];
}

const homeWords = `This must be an https URL of at most ${maxAddressChars} characters, without query, fragment, port or login details.`;
const restRootWords =
  'This must be site_url followed by wp-json/, ?rest_route=/ or index.php?rest_route=/.';
const adminWords =
  'This must be an https URL under site_url that contains /wp-admin/, without login details, port or fragment.';
const siteNameWords = 'This must have 1 to 200 characters, without control and format characters.';
const postWords =
  "This must be an https URL on the site's host, under its home path, without login details, port or fragment.";
