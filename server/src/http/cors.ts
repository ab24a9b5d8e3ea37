import type { FastifyReply } from 'fastify';

/** What scripts of other sites may read of an answer's headers. */
export const exposedHeaders = 'ETag, Retry-After, X-Request-Id, Content-Range';

/** Public answers may be read by any site; keyed ones by none (they carry no such header). */
export const corsHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
];

export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, Range',
  'Access-Control-Expose-Headers': exposedHeaders,
  'Access-Control-Max-Age': '86400',
};

/** For replies on the long way; the fast one writes the list itself. */
export function addCorsHeaders(reply: FastifyReply): void {
  for (let i = 0; i + 1 < corsHeaders.length; i += 2) {
    reply.header(corsHeaders[i] as string, corsHeaders[i + 1]);
  }
}
