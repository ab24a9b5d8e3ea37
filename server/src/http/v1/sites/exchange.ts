import Type from 'typebox';
import { exchangeCode, voidCode } from '../../../domain/exchange/sites/index.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { noStore } from '../../payload.ts';
import { defineRoute } from '../../route.ts';
import { ExchangedCode } from './schemas.ts';

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
