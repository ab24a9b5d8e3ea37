import type { FastifyRequest } from 'fastify';
import { type Caller, findCaller, type Target } from '../domain/keys/index.ts';
import { isApiKey } from '../lib/api-key.ts';
import { HttpError } from './errors.ts';
import type { Web } from './web.ts';

const bearer = /^Bearer(?: +(.*))?$/i;

/**
 * Who asks with the key in the `Authorization` header. Throws 401: `unauthorized` where there is
 * none, `invalid_api_key` where it is not one of ours, or no longer. A key of the wrong form costs
 * no query. Whoever is refused too often hears 429 instead; a good key never does.
 */
export async function authenticate(
  web: Web,
  request: FastifyRequest,
  target: Target | undefined,
): Promise<Caller> {
  const key = bearer.exec(request.headers.authorization ?? '')?.[1]?.trim() ?? '';
  if (key === '') {
    throw refuse(web, request, {
      code: 'unauthorized',
      message: 'Send an API key: Authorization: Bearer <API_KEY>.',
    });
  }
  const caller = isApiKey(key) ? await findCaller(web.ctx, key, target) : undefined;
  if (caller !== undefined) {
    web.noteKeyUse(caller.keyId, request.raw);
    return caller;
  }
  throw refuse(web, request, {
    code: 'invalid_api_key',
    message: 'This API key is mistyped, unknown, revoked or expired.',
  });
}

function refuse(
  web: Web,
  request: FastifyRequest,
  failure: { readonly code: 'unauthorized' | 'invalid_api_key'; readonly message: string },
): HttpError {
  if (web.mayFailToAuthenticate(request.raw)) return new HttpError({ status: 401, ...failure });
  return new HttpError({
    status: 429,
    code: 'rate_limited',
    message: 'Too many requests without a valid key from your network. Try again in a minute.',
    headers: { 'Retry-After': '60' },
  });
}
