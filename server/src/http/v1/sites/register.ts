import Type from 'typebox';
import {
  checkAddresses,
  type GivenAddresses,
  maxAddressChars,
  registerSite,
} from '../../../domain/exchange/sites/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { keyedCaching, noStore } from '../../payload.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import { adminUrl, RegisteredSite, siteUrlExample } from './schemas.ts';

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
  async answer(ctx, { body: given }) {
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
