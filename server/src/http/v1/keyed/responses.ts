import Type, { type TSchema } from 'typebox';
import type { ApiHeader } from '../headers.ts';
import { revalidatedResponses } from '../responses.ts';
import { Pagination } from '../schemas.ts';

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
