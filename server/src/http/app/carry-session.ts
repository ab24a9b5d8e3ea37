import type { FastifyReply } from 'fastify';
import type { Context } from '../../domain/context.ts';
import type { SignedIn } from '../../domain/sessions/index.ts';
import { createSessionCookie } from './session-cookie.ts';

/** The browser has this session from now on, in the place of the one it had. */
export function keepSession(ctx: Context, reply: FastifyReply, signedIn: SignedIn): void {
  const cookie = createSessionCookie(ctx.installation.baseUrl);
  reply.header('Set-Cookie', cookie.keep(signedIn.token, signedIn.session.expiresAt));
}

export function forgetSession(ctx: Context, reply: FastifyReply): void {
  reply.header('Set-Cookie', createSessionCookie(ctx.installation.baseUrl).forget);
}
