import Type, { type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { episodeFields } from '../../../../lib/fields/episode-fields.ts';
import type { ElementChanges } from '../../../../lib/fields/feed-elements.ts';
import {
  type Field,
  type FieldList,
  type FieldValues,
  type SeedValues,
  seedNameOf,
} from '../../../../lib/fields/field.ts';
import { podcastFields } from '../../../../lib/fields/podcast-fields.ts';
import type { EpisodeFields } from '../../../publishing/episodes/index.ts';
import { mediums, type PodcastChanges } from '../../../publishing/podcasts/index.ts';
import { type ElementLists, readElementLists } from './edited-elements.ts';
import {
  CategoryEntry,
  FundingEntry,
  NullableFlag,
  NullableHtml,
  NullableText,
  NullableWhole,
  oneOf,
  Text,
} from './schema-parts.ts';

/**
 * The fields of podcasts and episodes under their names in seed files and commands, with their
 * schemas. The verbs check everything beyond the schema.
 */
export const podcastSchemas = schemasOf(podcastFields);
export const episodeSchemas = schemasOf(episodeFields);

type Schemas<Values> = { readonly [Name in keyof Values]: TOptional<TUnsafe<Values[Name]>> };

function schemasOf<L extends FieldList>(list: L): Schemas<SeedValues<L>> {
  const named = Object.entries(list).map(([name, field]) => {
    return [seedNameOf(name, field), Type.Optional(schemaOf(field))];
  });
  return Object.fromEntries(named) as Schemas<SeedValues<L>>;
}

function schemaOf(field: Field): TSchema {
  const isNullable = field.nullable === true;
  switch (field.kind) {
    case 'html':
      return NullableHtml;
    case 'number':
      return isNullable ? NullableWhole : Type.Integer();
    case 'flag':
      return isNullable ? NullableFlag : Type.Boolean();
    case 'choice':
      return oneOf(field.choices);
    // A feed may bring others.
    case 'medium':
      return oneOf(mediums);
    case 'categories':
      return Type.Array(CategoryEntry);
    case 'funding':
      return Type.Array(FundingEntry);
    case 'prefixes':
      return Type.Array(Text);
    case 'arrangement':
      return Type.Array(oneOf(field.choices));
    default:
      return isNullable ? NullableText : Text;
  }
}

type Entry<L extends FieldList> = {
  readonly [Name in keyof SeedValues<L>]?: SeedValues<L>[Name] | undefined;
};

/** Converts the given fields; missing ones stay missing and get defaults from the verbs. */
export function readPodcastFields(
  entry: Entry<typeof podcastFields> & ElementLists,
): PodcastChanges {
  const { otherCategories, otherFunding, ...fields } = readFields(podcastFields, entry);
  return {
    ...fields,
    ...readElementLists('show', entry),
    // In a seed file, a subcategory and a text may be missing.
    ...(otherCategories && {
      otherCategories: otherCategories.map(({ category, subcategory }) => ({
        category,
        subcategory: subcategory ?? null,
      })),
    }),
    ...(otherFunding && {
      otherFunding: otherFunding.map(({ url, text }) => ({ url, text: text ?? null })),
    }),
  };
}

export function readEpisodeFields(
  entry: Entry<typeof episodeFields> & ElementLists,
): Partial<EpisodeFields> & ElementChanges {
  return { ...readFields(episodeFields, entry), ...readElementLists('episode', entry) };
}

/** In the order of the entry, so that problems are named in that order. */
function readFields<L extends FieldList>(list: L, entry: Entry<L>) {
  const names = new Map(
    Object.entries(list).map(([name, field]) => [seedNameOf(name, field), name] as const),
  );
  const given = Object.entries(entry).flatMap(([seedName, value]) => {
    const name = names.get(seedName);
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as Partial<FieldValues<L>>;
}
