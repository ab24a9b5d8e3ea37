import type { RouteGroup } from '../route-groups.ts';

/**
 * Names and values of the headers that make browsers use TLS for a year, if BASE_URL has it. They
 * do not include subdomains, which may belong to others.
 */
export function transportSecurity(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [];
}

/** The response headers that scripts of other sites may read. */
export const exposedHeaders = 'ETag, Retry-After, X-Request-Id, Content-Range';

/** For public responses, which scripts of any site may read. Keyed responses have no such header. */
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

/** The headers of every response of a route group, even if the router cannot parse the URL. */
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

/**
 * A proxy should read such a response only as fast as its client does: audio, archives, events.
 * nginx would keep up to a gigabyte of each on its disk, and take audio from us that nobody listens to.
 */
export const unbuffered = { 'X-Accel-Buffering': 'no' } as const;
