import type { IncomingHttpHeaders } from 'node:http';
import type { Installation } from '../../domain/foundation/context.ts';
import { DomainError } from '../../domain/foundation/errors.ts';

type Hosts = Pick<Installation, 'baseUrl' | 'embedUrl'>;

/**
 * Refuses requests that a page of another site may have sent. Browsers send the origin with every
 * unsafe request, and no page can forge it; a missing origin is refused too. Our origins come from
 * the configuration, never from the request's Host.
 */
export function requireSameOrigin({ origin }: IncomingHttpHeaders, hosts: Hosts): void {
  if (origin !== undefined && isOurs(origin, hosts)) return;
  throw new DomainError('forbidden', `Only pages of ${hosts.baseUrl} may send this request.`);
}

/**
 * Whether the visitor came from one of our account pages. Pages with content of podcasters may
 * contain any link, so they do not count. No page can forge this.
 */
export function isLedHereByApp({ referer }: IncomingHttpHeaders, hosts: Hosts): boolean {
  if (referer === undefined || !URL.canParse(referer)) return false;
  const { origin, pathname } = new URL(referer);
  return isOurs(origin, hosts) && pathname.startsWith('/app/');
}

function isOurs(origin: string, { baseUrl, embedUrl }: Hosts): boolean {
  return origin === new URL(baseUrl).origin || origin === new URL(embedUrl).origin;
}
