import Type, { type TSchema } from 'typebox';
import type { ResponseDescription } from '../route.ts';
import type { ApiHeader } from './headers.ts';
import { Pagination } from './public-schemas.ts';

/** The response with these headers, or a 304 if the client has it already. */
function revalidatedResponses(
  description: string,
  schema: TSchema,
  headers: readonly ApiHeader[],
): Record<number, ResponseDescription> {
  return {
    200: { description, schema, headers: [...headers, 'ContentEncoding'] },
    304: {
      description: 'Nothing has changed since the ETag sent in `If-None-Match`. No body.',
      headers,
    },
  };
}

const publicHeaders = ['ETag', 'PublicCaching', 'Vary'] as const satisfies readonly ApiHeader[];

export const publicResponses = (description: string, schema: TSchema) =>
  revalidatedResponses(description, schema, publicHeaders);

const headers = [
  'ETag',
  'KeyedCaching',
  'KeyedVary',
  'RateLimitPolicy',
  'RateLimit',
] as const satisfies readonly ApiHeader[];

export const keyedResponses = (description: string, schema: TSchema) =>
  revalidatedResponses(description, schema, headers);

export function keyedPage(item: TSchema, order: string): TSchema {
  const data = Type.Array(item, { description: order });
  return Type.Object({ data, pagination: Pagination });
}
