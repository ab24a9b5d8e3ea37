import Type from 'typebox';
import {
  checkAddresses,
  exchangeCode,
  type GivenAddresses,
  maxAddressChars,
  registerSite,
  voidCode,
} from '../../../domain/exchange/sites/index.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { keyedCaching, noStore } from '../../responses/payload.ts';
import { defineRoute } from '../../route.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import { adminUrl, ExchangedCode, RegisteredSite, siteUrlExample } from './site-schemas.ts';

const body = Type.Object(
  {
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: "SHA-256 of the plugin's verifier in base64url: 43 characters",
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
    rest_root: Type.String({
      minLength: 1,
      maxLength: maxAddressChars,
      description:
        "The root of the site's REST API: `site_url` followed by `wp-json/`, `?rest_route=/` or `index.php?rest_route=/`",
      examples: [`${siteUrlExample}wp-json/`],
    }),
    site_url: Type.String({
      minLength: 1,
      maxLength: maxAddressChars,
      description: "The site's home URL: https, without query, fragment, port or login details",
      examples: [siteUrlExample],
    }),
    state: Type.String({
      pattern: '^[A-Za-z0-9_-]{32,128}$',
      description: 'A random value that the plugin has stored: 32 to 128 characters',
      examples: ['o7Jc2nYw4sQe8rTgB5vKxL1pZ9mHdF3a'],
    }),
    admin_url: adminUrl,
  },
  { additionalProperties: false },
);

/** For keys that were created for command lines. Exchanging a code registers its key itself. */
export const registerRoute = defineKeyedRoute({
  method: 'POST',
  path: '/v1/me/sites',
  action: 'site.act',
  registers: true,
  body,
  caching: { ...keyedCaching, cacheControl: noStore },
  id: 'registerSite',
  tag: 'Connected sites',
  summary: 'Bind a key to its site',
  description:
    "Call it within 24 hours after the key was created; until then, the key can call nothing else. During the request, the service fetches the plugin's challenge: `GET <rest_root>podstead/v1/challenge` with the parameter `state` must return 200 with a JSON object whose `code_challenge` is the one sent here. Refusals have the `reason` `challenge_unreachable` (no 200 within ten seconds), `challenge_mismatch` (a redirect, or any other response) or `site_limit`. Each user has ten attempts a minute. While the site is pending, the same request returns a new ping secret; an active site gets 403 `forbidden`, and so does a key from a code exchange. 403 `plan_upgrade_required` if none of the key's shows is on a plan that includes the API.",
  responses: {
    201: {
      description: 'The site. Only this response contains its secret.',
      schema: Type.Object({ data: RegisteredSite }),
      headers: ['SecretCaching', 'KeyedVary', 'RateLimitPolicy', 'RateLimit', 'ContentEncoding'],
    },
  },
  check(_http, { body: given, refuse }) {
    refuse(...checkAddresses(readAddresses(given)).details);
  },
  async respond(ctx, { body: given }) {
    const { state, code_challenge: codeChallenge } = given;
    const site = await registerSite(ctx, { ...readAddresses(given), state, codeChallenge });
    return { data: wireNames({ ...site, status: 'pending' }) };
  },
});

function readAddresses(given: {
  readonly site_url?: string;
  readonly rest_root?: string;
  readonly admin_url?: string;
}): GivenAddresses {
  return { siteUrl: given.site_url, restRoot: given.rest_root, adminUrl: given.admin_url };
}

/** The code is the credential. */
export const exchangeRoute = defineRoute({
  method: 'POST',
  path: '/v1/sites/exchange',
  access: 'public',
  body: {
    json: Type.Object(
      {
        code: Type.String({
          pattern: '^[A-Za-z0-9_-]{43}$',
          description: 'The code that came back to `redirect_uri`: 43 characters',
          examples: ['Zk3Yx0mW9qT2hR8sVtKpLx7uZbN4eJ5fG6aQ1oPiTnU'],
        }),
        code_verifier: Type.String({
          pattern: '^[A-Za-z0-9._~-]{43,128}$',
          description:
            'The verifier from which the `code_challenge` was derived: 43 to 128 characters',
          examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
        }),
      },
      { additionalProperties: false },
    ),
  },
  operation: {
    id: 'exchangeSiteCode',
    tag: 'Connected sites',
    summary: "Exchange a code for a site's key",
    description:
      'The code is valid for five minutes and works once: any request with it uses it up, even if the rest of the request is invalid. A home URL that was connected before keeps its `site_id`, its changes and its posts; its old key is revoked. 30 requests a minute per client IP address.',
    responses: {
      200: {
        description: 'The connection. Only this response contains its secrets.',
        schema: Type.Object({ data: ExchangedCode }),
        headers: ['SecretCaching', 'Vary', 'ContentEncoding'],
      },
    },
  },
  async authenticate(http, request) {
    if (http.consumeExchangeLimit(request.raw)) return;
    const message = 'Too many exchanges from your network. Try again in a minute.';
    throw new DomainError('rate_limited', message, { retryAfterSeconds: 60 });
  },
  async check({ ctx }, { body, refused }) {
    if (refused.size > 0 && body.code !== undefined) await voidCode(ctx, body.code);
  },
  async handle({ ctx }, { body }) {
    const { code, code_verifier: codeVerifier } = body;
    const exchanged = await exchangeCode(ctx, { code, codeVerifier });
    return {
      kind: 'json',
      body: { data: wireNames({ ...exchanged, podcasts: exchanged.podcastIds }) },
      caching: { cacheControl: noStore, vary: 'Accept-Encoding' },
    };
  },
});
