import type { FastifyReply } from 'fastify';
import type { Context } from '../../domain/context.ts';
import type { SignedIn } from '../../domain/sessions/index.ts';
import { createSessionCookie } from './session-cookie.ts';

/** Gives the browser this session in place of its previous one. */
export function setSession(ctx: Context, reply: FastifyReply, signedIn: SignedIn): void {
  const cookie = createSessionCookie(ctx.installation.baseUrl);
  reply.header('Set-Cookie', cookie.keep(signedIn.token, signedIn.session.expiresAt));
}

export function clearSession(ctx: Context, reply: FastifyReply): void {
  reply.header('Set-Cookie', createSessionCookie(ctx.installation.baseUrl).clear);
}
