import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findKeyPrincipal } from '../../domain/access/keys/index.ts';
import type { Context } from '../../domain/foundation/context.ts';
import type { KeyPrincipal } from '../../domain/foundation/principal.ts';
import type { Resource } from '../../domain/foundation/relation.ts';
import { isApiKey } from '../../lib/api-key.ts';
import type { HttpContext } from '../http-context.ts';
import { HttpError, type HttpFailure } from '../http-errors.ts';
import { findBySecret } from './find-by-secret.ts';

/** For a client that has sent too many requests without a valid key. */
export const refusedTooOften: HttpFailure = {
  status: 429,
  code: 'rate_limited',
  message: 'Too many requests without a valid key from your network. Try again in a minute.',
  headers: { 'Retry-After': '60' },
};

const bearer = /^Bearer(?: (.*))?$/i;

/** The API key in the `Authorization` header; '' without one. It may have any form. */
export function keyIn({ authorization = '' }: IncomingHttpHeaders): string {
  return bearer.exec(authorization)?.[1]?.trim() ?? '';
}

/**
 * Finds the principal of the key in the `Authorization` header. Throws 401: `unauthorized` without
 * a key, `invalid_api_key` if it is unknown or has ended. A key of the wrong form costs no query. A
 * client that is refused too often gets 429 instead; a valid key is never limited here.
 */
export async function authenticateKey(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  requested: Resource | undefined,
): Promise<KeyPrincipal> {
  const key = keyIn(request.headers);
  if (key === '') {
    throw refuse(http, request, {
      code: 'unauthorized',
      message: 'Send an API key: Authorization: Bearer <API_KEY>.',
    });
  }
  const principal = isApiKey(key)
    ? await findPrincipal(http, request, reply, key, requested)
    : undefined;
  if (principal !== undefined) {
    http.recordKeyUse(principal.key.id, request.raw);
    return principal;
  }
  throw refuse(http, request, {
    code: 'invalid_api_key',
    message: 'This API key is mistyped, unknown, revoked or expired.',
  });
}

/** Waits for its turn first by the secret, because only the look-up says whose key it is. */
async function findPrincipal(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  requested: Resource | undefined,
): Promise<KeyPrincipal | undefined> {
  const { workShares } = http;
  await workShares.begin(`key ${key}`, reply.raw);
  const find = (ctx: Context) => findKeyPrincipal(ctx, key, requested);
  const principal = await findBySecret(http, request, reply, key, find);
  if (principal !== undefined) await workShares.begin(`keys of ${principal.userId}`, reply.raw);
  return principal;
}

function refuse(
  http: HttpContext,
  request: FastifyRequest,
  failure: { readonly code: 'unauthorized' | 'invalid_api_key'; readonly message: string },
): Error {
  const isAllowed = http.consumeRefusedLimit(request.raw);
  return new HttpError(isAllowed ? { status: 401, ...failure } : refusedTooOften);
}
