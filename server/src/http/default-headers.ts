import type { FastifyReply, FastifyRequest } from 'fastify';
import { addCorsHeaders } from './cors.ts';
import { type RouteGroup, routeGroupOf } from './route-groups.ts';
import { transportSecurity } from './transport-security.ts';

/** Adds the headers of every answer of a route group, even if the router cannot parse the URL. */
export function addDefaultHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): RouteGroup {
  const group = routeGroupOf(request.raw.url ?? '');
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
  const [name, value] = transportSecurity(baseUrl);
  if (name !== undefined) reply.header(name, value);
  if (group.cors) addCorsHeaders(reply);
  return group;
}
