import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../domain/foundation/context.ts';
import type { HttpContext } from '../http-context.ts';
import { clientLeaves } from '../responses/while-awaited.ts';

/**
 * Looks up the session or key of a secret. Until this process has found it once, the look-up takes turns of
 * the client's network: a client can invent a new secret for each request, and would have a share of work
 * for each.
 */
export function findBySecret<T extends object>(
  http: HttpContext,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  find: (ctx: Context) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { ctx, knownSecrets, publicReads } = http;
  return knownSecrets.find(secret, (isKnown) => {
    if (isKnown) return find(ctx);
    const db = publicReads.ofSecret(http.blockOf(raw), clientLeaves(reply));
    return find({ ...ctx, db });
  });
}
