import type { IncomingMessage } from 'node:http';
import { requestedHost } from '../../lib/host-name.ts';
import type { HttpContext } from '../http-context.ts';
import { authorityOf, normalizeTarget } from '../requests/request-target.ts';

/** The own domain that a request is for. */
export interface RequestedDomain {
  readonly host: string;
  readonly podcastId: string;
}

const requested = new WeakMap<IncomingMessage, RequestedDomain>();

/**
 * The normalized target of a request. If its host is a show's verified domain, `/x` becomes
 * `/@{host}/x`: the routes of own domains have such paths, and so have the URLs by which responses are
 * cached, so hosts never share one. Nobody can send such a path: from outside it becomes `/%40…`, which
 * is not a route. `X-Forwarded-Host` is never read: a client could send it through any proxy.
 */
export function targetByHost(
  domains: HttpContext['domains'],
  request: Pick<IncomingMessage, 'url' | 'headers'>,
): string {
  const sent = request.url ?? '';
  const path = normalizeTarget(sent);
  const target = path.startsWith('/@') ? `/%40${path.slice(2)}` : path;
  if (domains.size === 0 || !target.startsWith('/')) return target;
  // A target with a host overrides the header (RFC 9112 §3.2.2).
  const host = requestedHost(authorityOf(sent) ?? request.headers.host ?? '');
  const podcastId = host === undefined ? undefined : domains.find(host);
  if (host === undefined || podcastId === undefined) return target;
  requested.set(request as IncomingMessage, { host, podcastId });
  return `/@${host}${target}`;
}

/** Undefined: the request is for the service's own host, as every unknown one is. */
export function domainOf(request: IncomingMessage): RequestedDomain | undefined {
  return requested.get(request);
}
