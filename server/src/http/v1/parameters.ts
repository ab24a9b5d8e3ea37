import Type from 'typebox';

/** Slug grammar and UUID of the contract, as path parameters. */
const slug = '[a-z0-9]+(?:-[a-z0-9]+)*';
const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** A UUID in capitals is no slug, and a slug has at most 100 characters. */
const slugOrUuid = `^(?:(?=.{1,100}$)${slug}|${uuid})$`;

export const podcastSlug = Type.String({
  pattern: slugOrUuid,
  description: "The podcast's current slug, or its UUID",
});

export const episodeRef = Type.String({
  pattern: slugOrUuid,
  description: "The episode's current slug, or its UUID",
});

export const episodeId = Type.String({
  pattern: `^${uuid}$`,
  description: "The episode's UUID",
});

export const cursor = Type.Optional(
  Type.String({ description: '`next_cursor` of the page before, unchanged', maxLength: 2000 }),
);

export const pageSize = (max: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, default: 20, description: 'Items on a page' }),
  );
