import type { FastifyReply } from 'fastify';

/** The response headers that scripts of other sites may read. */
export const exposedHeaders = 'ETag, Retry-After, X-Request-Id, Content-Range';

/** For public answers, which scripts of any site may read. Keyed answers have no such header. */
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

/** For replies of the framework; the fast path writes the list itself. */
export function addCorsHeaders(reply: FastifyReply): void {
  for (let i = 0; i + 1 < corsHeaders.length; i += 2) {
    reply.header(corsHeaders[i] as string, corsHeaders[i + 1]);
  }
}
