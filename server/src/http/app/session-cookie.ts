import type { FastifyReply } from 'fastify';
import type { SignedIn } from '../../domain/access/sessions/index.ts';
import type { Context } from '../../domain/foundation/context.ts';

/** A cookie of an account: for this host only, and hidden from scripts. */
interface AccountCookie {
  /** The token in a `Cookie` header; undefined if there is none. */
  find(header: string | undefined): string | undefined;
  /** A `Set-Cookie` value that stores `token` until `expiresAt`. */
  keep(token: string, expiresAt: Date): string;
  /** A `Set-Cookie` value that removes the cookie. */
  readonly clear: string;
}

const dayMs = 24 * 3_600_000;
/** What browsers keep at most. */
const deviceDays = 400;

export const createSessionCookie = (baseUrl: string) => createCookie(baseUrl, 'session');

/** The cookie of a browser in which a user has signed in. Signing out leaves it. */
export const createDeviceCookie = (baseUrl: string) => createCookie(baseUrl, 'device');

/**
 * With TLS the name begins with `__Host-`: browsers then accept the cookie from this exact host
 * only, so that other hosts of the domain cannot set it.
 */
function createCookie(baseUrl: string, what: 'session' | 'device'): AccountCookie {
  const secure = baseUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}podstead_${what}`;
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

/** Gives the browser this session in place of its previous one, and remembers that the user has signed in here. */
export function setSession(ctx: Context, reply: FastifyReply, signedIn: SignedIn): void {
  const { token, session, deviceToken } = signedIn;
  const { baseUrl } = ctx.installation;
  reply.header('Set-Cookie', createSessionCookie(baseUrl).keep(token, session.expiresAt));
  const end = new Date(ctx.clock.now().getTime() + deviceDays * dayMs);
  reply.header('Set-Cookie', createDeviceCookie(baseUrl).keep(deviceToken, end));
}

export function clearSession(ctx: Context, reply: FastifyReply): void {
  reply.header('Set-Cookie', createSessionCookie(ctx.installation.baseUrl).clear);
}
