import type { TSchema } from 'typebox';
import type { ResponseDescription } from '../route.ts';
import type { ApiHeader } from './headers.ts';

const cacheHeaders = ['ETag', 'PublicCaching', 'Vary'] as const satisfies readonly ApiHeader[];

/** A public answer, or a 304 if the client has it already. */
export function publicResponses(
  description: string,
  schema: TSchema,
): Record<number, ResponseDescription> {
  return {
    200: { description, schema, headers: [...cacheHeaders, 'ContentEncoding'] },
    304: {
      description: 'Nothing has changed since the ETag sent in `If-None-Match`. No body.',
      headers: cacheHeaders,
    },
  };
}
