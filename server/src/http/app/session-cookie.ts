/** The cookie that carries a session: for this host alone, out of reach of any script. */
export interface SessionCookie {
  /** The token a `Cookie` header brings; undefined where it brings none. */
  find(header: string | undefined): string | undefined;
  /** The value of a `Set-Cookie` header that keeps `token` until `expiresAt`. */
  keep(token: string, expiresAt: Date): string;
  /** The value of a `Set-Cookie` header that makes browsers forget it. */
  readonly forget: string;
}

/**
 * With TLS the name begins `__Host-`: browsers then take the cookie only from this very host, so
 * that no neighbour under the same domain can plant one.
 */
export function createSessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}podstead_session`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    find: (header) => findCookie(header, name),
    keep: (token, expiresAt) =>
      `${name}=${token}; Expires=${expiresAt.toUTCString()}; ${attributes}`,
    forget: `${name}=; Max-Age=0; ${attributes}`,
  };
}

function findCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const mark = pair.indexOf('=');
    if (mark !== -1 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim();
  }
  return undefined;
}
