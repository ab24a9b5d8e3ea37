import Type from 'typebox';
import { slugPattern } from '../../lib/slug.ts';
import { uuidPattern } from '../../lib/uuid.ts';

/** A UUID in capitals is not a slug, and a slug has at most 100 characters. */
const slugOrUuid = `^(?:(?=.{1,100}$)${slugPattern}|${uuidPattern})$`;

export const podcastSlug = Type.String({
  pattern: slugOrUuid,
  description: "The podcast's current slug, or its UUID",
  examples: ['night-signals'],
});

export const episodeRef = Type.String({
  pattern: slugOrUuid,
  description: "The episode's current slug, or its UUID",
  examples: ['first-light'],
});

export const episodeId = Type.String({
  pattern: `^${uuidPattern}$`,
  description: "The episode's UUID",
  examples: ['0197a3c4-5d21-7b8e-9f10-6a2b3c4d5e6f'],
});

export const podcastId = Type.String({
  pattern: `^${uuidPattern}$`,
  description: "The podcast's UUID",
  examples: ['0197a3c4-1a2b-7c3d-8e4f-5a6b7c8d9e0f'],
});

export const cursor = Type.Optional(
  Type.String({
    description: '`next_cursor` of the last page, unchanged',
    pattern: '^[A-Za-z0-9_-]{22,2000}$',
    examples: ['kY0fB1xq7dQm2l8uZ3nRtlsiMjAyNi0wMy0wMSJd'],
  }),
);

/** The page size if a request does not state one. */
export const defaultPageSize = 20;

export const pageSize = (max: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: max,
      default: defaultPageSize,
      description: 'Items on a page',
      examples: [defaultPageSize],
    }),
  );

/** The parameters of every list. */
export const pageParameters = { limit: pageSize(100), cursor };
