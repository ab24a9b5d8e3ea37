import type { FastifyReply } from 'fastify';
import type { SignedIn } from '../../domain/access/sessions/index.ts';
import type { Context } from '../../domain/foundation/context.ts';

/** The session cookie: for this host only, and hidden from scripts. */
export interface SessionCookie {
  /** The token in a `Cookie` header; undefined if there is none. */
  find(header: string | undefined): string | undefined;
  /** A `Set-Cookie` value that stores `token` until `expiresAt`. */
  keep(token: string, expiresAt: Date): string;
  /** A `Set-Cookie` value that removes the cookie. */
  readonly clear: string;
}

/**
 * With TLS the name begins with `__Host-`: browsers then accept the cookie from this exact host
 * only, so that other hosts of the domain cannot set it.
 */
export function createSessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}podstead_session`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    find: (header) => findCookie(header, name),
    keep: (token, expiresAt) =>
      `${name}=${token}; Expires=${expiresAt.toUTCString()}; ${attributes}`,
    clear: `${name}=; Max-Age=0; ${attributes}`,
  };
}

export function findCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const mark = pair.indexOf('=');
    if (mark !== -1 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim();
  }
  return undefined;
}

/** Gives the browser this session in place of its previous one. */
export function setSession(ctx: Context, reply: FastifyReply, signedIn: SignedIn): void {
  const cookie = createSessionCookie(ctx.installation.baseUrl);
  reply.header('Set-Cookie', cookie.keep(signedIn.token, signedIn.session.expiresAt));
}

export function clearSession(ctx: Context, reply: FastifyReply): void {
  reply.header('Set-Cookie', createSessionCookie(ctx.installation.baseUrl).clear);
}
