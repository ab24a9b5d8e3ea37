import { corsHeaders } from './cors.ts';
import type { RouteGroup } from './route-groups.ts';
import { transportSecurity } from './transport-security.ts';

/** The headers of every answer of a route group, even if the router cannot parse the URL. */
export function defaultHeaders(
  group: RouteGroup,
  requestId: string,
  baseUrl: string,
): Record<string, string> {
  const [name, value] = transportSecurity(baseUrl);
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    ...(name !== undefined && { [name]: value }),
    ...(group.cors && corsHeaders),
  };
}
