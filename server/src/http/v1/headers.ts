import Type, { type TSchema } from 'typebox';
import { exposedHeaders } from '../responses/default-headers.ts';
import { keyedCaching, noStore, publicCaching } from '../responses/payload.ts';

/** A response header, for the description of the API. */
export interface HeaderDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
  /** True if some responses leave it out. */
  readonly optional?: true;
}

const policy = Type.String({
  pattern: '^account;q=\\d+;w=60(?:, plan;q=\\d+;w=60)?$',
  examples: ['account;q=600;w=60, plan;q=60;w=60'],
});
const remaining = Type.String({
  pattern: '^account;r=\\d+;t=\\d+(?:, plan;r=\\d+;t=\\d+)?$',
  examples: ['account;r=599;t=42, plan;r=59;t=42'],
});

/** Every header of the API's responses, except those HTTP itself needs. */
export const apiHeaders = {
  RequestId: {
    name: 'X-Request-Id',
    description: 'Identifies this response; quote it in a report.',
    schema: Type.String({ format: 'uuid', examples: ['8d5c2a4e-7f0b-4a8e-9c3d-1b2f6e7a9d40'] }),
  },
  ContentTypeOptions: {
    name: 'X-Content-Type-Options',
    description: 'Browsers must not guess a type other than `Content-Type`.',
    schema: Type.Literal('nosniff'),
  },
  AllowOrigin: {
    name: 'Access-Control-Allow-Origin',
    description: 'Scripts on any site may read public responses.',
    schema: Type.Literal('*'),
  },
  ExposeHeaders: {
    name: 'Access-Control-Expose-Headers',
    description: 'The headers that scripts on other sites may read.',
    schema: Type.Literal(exposedHeaders),
  },
  ETag: {
    name: 'ETag',
    description:
      'Strong validator of these bytes, with a suffix for each content coding. Send any form of it back in `If-None-Match`.',
    schema: Type.String({
      pattern: '^"[A-Za-z0-9_-]+"$',
      examples: ['"q3Wc0mY2d1hR8sVtKpLx7uZbN4e-gzip"'],
    }),
  },
  PublicCaching: {
    name: 'Cache-Control',
    description: 'Any cache may store the response for a minute.',
    schema: Type.Literal(publicCaching.cacheControl),
  },
  KeyedCaching: {
    name: 'Cache-Control',
    description: 'Only the client may cache the response, and must revalidate it before each use.',
    schema: Type.Literal(keyedCaching.cacheControl),
  },
  SecretCaching: {
    name: 'Cache-Control',
    description: 'The response contains a secret: no cache may store it.',
    schema: Type.Literal(noStore),
  },
  KeyedVary: {
    name: 'Vary',
    description: 'The response depends on the key and on the content coding.',
    schema: Type.Literal(keyedCaching.vary),
  },
  RateLimitPolicy: {
    name: 'RateLimit-Policy',
    description:
      "The quotas that this request counts against, as a structured field: `q` requests in `w` seconds. `account` is the user's, `plan` the podcast's.",
    schema: policy,
  },
  RateLimit: {
    name: 'RateLimit',
    description: 'What is left of each quota: `r` requests. It resets in `t` seconds.',
    schema: remaining,
  },
  RateLimitPolicyIfCounted: {
    name: 'RateLimit-Policy',
    optional: true,
    description: 'As on a success, if the request was counted before it was refused.',
    schema: policy,
  },
  RateLimitIfCounted: {
    name: 'RateLimit',
    optional: true,
    description: 'As on a success, if the request was counted before it was refused.',
    schema: remaining,
  },
  Authenticate: {
    name: 'WWW-Authenticate',
    description: 'How to authenticate.',
    schema: Type.Literal('Bearer'),
  },
  NoStore: {
    name: 'Cache-Control',
    description: 'No cache may store an error.',
    schema: Type.Literal(noStore),
  },
  Vary: {
    name: 'Vary',
    description: 'The body depends only on the content coding.',
    schema: Type.Literal(publicCaching.vary),
  },
  ContentEncoding: {
    name: 'Content-Encoding',
    optional: true,
    description: 'The coding chosen from `Accept-Encoding`; absent if the body is not encoded.',
    schema: Type.Enum(['gzip', 'br'], { type: 'string', examples: ['br'] }),
  },
  AcceptEncoding: {
    name: 'Accept-Encoding',
    optional: true,
    description: 'The accepted coding of request bodies; present if the body had another.',
    schema: Type.Literal('identity'),
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'Seconds to wait before the next request. Add a short random time.',
    schema: Type.Integer({ minimum: 1, examples: [60] }),
  },
  Location: {
    name: 'Location',
    description: 'The current address, a path on this host.',
    schema: Type.String({
      examples: ['/v1/podcasts/night-signals/episodes/0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e6f'],
    }),
  },
} as const satisfies Record<string, HeaderDescription>;

export type ApiHeader = keyof typeof apiHeaders;
