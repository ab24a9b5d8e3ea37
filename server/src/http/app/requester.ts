import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, type FoundSession, findSession } from '../../domain/access/sessions/index.ts';
import type { Context } from '../../domain/foundation/context.ts';
import type { HttpContext } from '../http-context.ts';
import { HttpError } from '../http-errors.ts';
import { preferredAppLanguage } from '../pages/preferred-language.ts';
import { findBySecret } from '../requests/find-by-secret.ts';
import { clientLeaves } from '../responses/while-awaited.ts';
import { requireSameOrigin } from './same-origin.ts';
import { createDeviceCookie, createSessionCookie } from './session-cookie.ts';

/** The sender of a request from one of our own pages. */
export interface Requester {
  /** Acts as the signed-in user, or as the public; in their language. */
  readonly ctx: Context;
  readonly client: Client;
  /** Undefined if not signed in. */
  readonly session: FoundSession | undefined;
  /** From the cookie, whether or not the session exists. */
  readonly token: string | undefined;
}

export interface SignedInRequester extends Requester {
  readonly session: FoundSession;
}

/** Shared by routes for visitors, signed in or not. */
export const forAnyRequester = { access: 'visitor', authenticate: authenticateRequester } as const;

/** Shared by routes for signed-in users. */
export const forSignedIn = { access: 'session', authenticate: authenticateSignedIn } as const;

async function authenticateRequester(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Requester> {
  const { baseUrl } = http.ctx.installation;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) requireSameOrigin(request.headers, http.ctx.installation);
  const client = {
    network: http.networkOf(request.raw),
    userAgent: request.headers['user-agent'],
    deviceToken: createDeviceCookie(baseUrl).find(request.headers.cookie),
  };
  const cookie = createSessionCookie(baseUrl);
  const token = cookie.find(request.headers.cookie);
  const language = preferredAppLanguage(request.headers['accept-language']);
  const visitor = () => {
    // So that sign-ins and forms leave connections to others.
    const abandoned = clientLeaves(reply);
    const from = { network: client.network, block: http.blockOf(request.raw) };
    const db = http.publicReads.ofVisitor(from, abandoned);
    const ctx = { ...http.ctx, db, abandoned, language };
    return { ctx, client, token, session: undefined };
  };
  if (token === undefined) return visitor();
  // Before the first statement by the secret, because only that says who the user is.
  await http.workShares.begin(`session ${token}`, reply.raw);
  const session = await findBySecret(http, request, reply, token, (ctx) => findSession(ctx, token));
  if (session === undefined) return visitor();
  await http.workShares.begin(`user ${session.userId}`, reply.raw);
  if (session.isRenewed) reply.header('Set-Cookie', cookie.keep(token, session.expiresAt));
  const ctx: Context = {
    ...http.ctx,
    principal: { kind: 'user', userId: session.userId },
    language: session.language ?? language,
  };
  return { ctx, client, token, session };
}

async function authenticateSignedIn(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedInRequester> {
  const requester = await authenticateRequester(http, request, reply);
  if (isSignedIn(requester)) return requester;
  throw new HttpError({ status: 401, code: 'unauthorized', message: 'You must sign in first.' });
}

export function isSignedIn(requester: Requester): requester is SignedInRequester {
  return requester.session !== undefined;
}
