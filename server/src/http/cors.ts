/** Public answers may be read by any site; keyed ones by none (they carry no such header). */
export const corsHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Retry-After, X-Request-Id, Content-Range',
];

export const preflightHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, Range',
  'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id, Content-Range',
  'Access-Control-Max-Age': '86400',
};
