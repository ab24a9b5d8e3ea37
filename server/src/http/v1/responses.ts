import Type, { type TSchema } from 'typebox';
import type { HeaderDescription, ResponseDescription } from '../route.ts';

const header = (description: string, schema: TSchema = Type.String()): HeaderDescription => ({
  description,
  schema,
});

export const requestIdHeader = {
  'X-Request-Id': header('Identifies this answer in a report', Type.String({ format: 'uuid' })),
};

const publicCacheHeaders = {
  ETag: header('Strong validator of this representation; send it back as If-None-Match'),
  'Cache-Control': header('public, max-age=60'),
  Vary: header('Accept-Encoding'),
};

/** A public answer, and the 304 to those who have it already. */
export function publicResponses(
  description: string,
  schema: TSchema,
): Record<number, ResponseDescription> {
  return {
    200: { description, schema, headers: publicCacheHeaders },
    304: {
      description: 'Unchanged since the ETag sent as If-None-Match',
      headers: publicCacheHeaders,
    },
  };
}
