import type { FastifyReply } from 'fastify';
import type { SignedIn } from '../../domain/access/sessions/index.ts';
import type { Context } from '../../domain/foundation/context.ts';
import { createSessionCookie } from './session-cookie.ts';

/** Gives the browser this session in place of its previous one. */
export function setSession(ctx: Context, reply: FastifyReply, signedIn: SignedIn): void {
  const cookie = createSessionCookie(ctx.installation.baseUrl);
  reply.header('Set-Cookie', cookie.keep(signedIn.token, signedIn.session.expiresAt));
}

export function clearSession(ctx: Context, reply: FastifyReply): void {
  reply.header('Set-Cookie', createSessionCookie(ctx.installation.baseUrl).clear);
}
