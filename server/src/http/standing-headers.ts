import type { FastifyReply, FastifyRequest } from 'fastify';
import { addCorsHeaders } from './cors.ts';
import { type Surface, surfaceOf } from './surfaces.ts';

/** What every answer of a surface carries, also one to an address that the router cannot read. */
export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): Surface {
  const surface = surfaceOf(request.raw.url ?? '');
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
  if (surface.cors) addCorsHeaders(reply);
  return surface;
}
