/** The response headers that scripts of other sites may read. */
export const exposedHeaders = 'ETag, Retry-After, X-Request-Id, Content-Range';

/** For public answers, which scripts of any site may read. Keyed answers have no such header. */
export const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
};

export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, Range',
  'Access-Control-Expose-Headers': exposedHeaders,
  'Access-Control-Max-Age': '86400',
};
