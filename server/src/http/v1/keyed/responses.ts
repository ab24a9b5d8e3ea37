import Type, { type TSchema } from 'typebox';
import type { ResponseDescription } from '../../route.ts';
import type { ApiHeader } from '../headers.ts';
import { Pagination } from '../schemas.ts';

const headers = [
  'ETag',
  'KeyedCaching',
  'KeyedVary',
  'RateLimitPolicy',
  'RateLimit',
] as const satisfies readonly ApiHeader[];

/** An answer to a key, or a 304 if the client has it already. */
export function keyedResponses(
  description: string,
  schema: TSchema,
): Record<number, ResponseDescription> {
  return {
    200: { description, schema, headers: [...headers, 'ContentEncoding'] },
    304: {
      description: 'Nothing has changed since the ETag sent in `If-None-Match`. No body.',
      headers,
    },
  };
}

export function keyedPage(item: TSchema, order: string): TSchema {
  const data = Type.Array(item, { description: order });
  return Type.Object({ data, pagination: Pagination });
}
