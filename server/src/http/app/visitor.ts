import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../domain/context.ts';
import { type Client, type FoundSession, findSession } from '../../domain/sessions/index.ts';
import { HttpError } from '../errors.ts';
import type { Web } from '../web.ts';
import { requireSameOrigin } from './same-origin.ts';
import { createSessionCookie } from './session-cookie.ts';

/** Who stands behind a request from one of our own pages. */
export interface Visitor {
  /** Acts as the user who is signed in, or as the public. */
  readonly ctx: Context;
  readonly client: Client;
  /** Undefined: not signed in. */
  readonly session: FoundSession | undefined;
  /** Of the cookie, whether or not it stands for a session. */
  readonly token: string | undefined;
}

export interface SignedInVisitor extends Visitor {
  readonly session: FoundSession;
}

/** What routes for visitors have in common; signed in or not is theirs to ask. */
export const forVisitors = { access: 'visitor', admit: admitVisitor } as const;

/** What routes of the private API have in common that are for signed-in users. */
export const forSignedIn = { access: 'session', admit: admitSignedIn } as const;

async function admitVisitor(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor> {
  const { baseUrl } = web.ctx.installation;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) requireSameOrigin(request.headers, baseUrl);
  const client = {
    network: web.networkOf(request.raw),
    userAgent: request.headers['user-agent'],
  };
  const cookie = createSessionCookie(baseUrl);
  const token = cookie.find(request.headers.cookie);
  const session = token === undefined ? undefined : await findSession(web.ctx, token);
  if (token === undefined || session === undefined) {
    return { ctx: web.ctx, client, token, session: undefined };
  }
  if (session.isRenewed) reply.header('Set-Cookie', cookie.keep(token, session.expiresAt));
  const ctx: Context = { ...web.ctx, actor: { kind: 'user', userId: session.userId } };
  return { ctx, client, token, session };
}

async function admitSignedIn(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedInVisitor> {
  const visitor = await admitVisitor(web, request, reply);
  if (isSignedIn(visitor)) return visitor;
  throw new HttpError({ status: 401, code: 'unauthorized', message: 'Sign in first.' });
}

export function isSignedIn(visitor: Visitor): visitor is SignedInVisitor {
  return visitor.session !== undefined;
}
