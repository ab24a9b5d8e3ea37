import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Installation } from '../../domain/foundation/context.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import { isLoopback } from '../../domain/foundation/own-addresses.ts';

type Hosts = Pick<Installation, 'baseUrl' | 'embedUrl'>;

/**
 * Refuses requests that a page of another site may have sent. Browsers send the origin with every
 * unsafe request, and no page can forge it; a missing origin is refused too. Our origins come from
 * the configuration, never from the request's Host.
 */
export function requireSameOrigin({ origin }: IncomingHttpHeaders, hosts: Hosts): void {
  if (origin !== undefined && isOurs(origin, hosts)) return;
  const message = `Only pages of ${hosts.baseUrl} may send this request. Open that URL and try again there.`;
  throw new DomainError('forbidden', message);
}

/**
 * The same page at the base URL, if another name of this machine was requested, such as 127.0.0.1
 * instead of localhost: the forms there would be refused. Only names of the machine itself lead to
 * each other. Others may be those of a proxy or a network, from which localhost is another machine.
 */
export function findPageAtBase(
  { url, headers: { host } }: Pick<IncomingMessage, 'url' | 'headers'>,
  hosts: Hosts,
): string | undefined {
  const { protocol, origin, port, host: expected } = new URL(hosts.baseUrl);
  const requested = URL.parse(`${protocol}//${host}`);
  if (requested === null || requested.host === expected || isOurs(requested.origin, hosts))
    return undefined;
  if (!isLoopback(origin) || !isLoopback(requested.origin) || requested.port !== port)
    return undefined;
  return url?.startsWith('/') ? origin + url : undefined;
}

/**
 * Whether the visitor came from one of our account pages. Pages with content of podcasters may
 * contain any link, so they do not count. No page can forge this.
 */
export function cameFromApp({ referer }: IncomingHttpHeaders, hosts: Hosts): boolean {
  if (referer === undefined || !URL.canParse(referer)) return false;
  const { origin, pathname } = new URL(referer);
  return isOurs(origin, hosts) && pathname.startsWith('/app/');
}

function isOurs(origin: string, { baseUrl, embedUrl }: Hosts): boolean {
  return origin === new URL(baseUrl).origin || origin === new URL(embedUrl).origin;
}
