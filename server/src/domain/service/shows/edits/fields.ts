import Type, { type Static, type TOptional, type TProperties } from 'typebox';
import { domainNames, type Unwired } from '../../../../lib/wire-names.ts';
import {
  episodeTypes,
  hostingTypes,
  playerThemes,
  showTypes,
} from '../../../foundation/enumerations.ts';
import type { EpisodeFields } from '../../../publishing/episodes/index.ts';
import { mediums, type PodcastFields } from '../../../publishing/podcasts/index.ts';
import {
  CategoryEntry,
  FundingEntry,
  NullableHtml,
  NullableText,
  NullableWhole,
  oneOf,
  Text,
} from './schema-parts.ts';

/**
 * The fields of podcasts and episodes under their names in seed files and commands, with their
 * schemas. Seed files, `podcast set` and `episode set` use these tables, so a new field is one line
 * here. The verbs check everything beyond the schema.
 */
export const podcastFields = optional({
  slug: Text,
  title: Text,
  subtitle: NullableText,
  author: Text,
  description: Text,
  language: Text,
  category: NullableText,
  subcategory: NullableText,
  other_categories: Type.Array(CategoryEntry),
  explicit: Type.Boolean(),
  show_type: oneOf(showTypes),
  copyright: NullableText,
  website_url: NullableText,
  owner_name: NullableText,
  owner_email: NullableText,
  funding_url: NullableText,
  funding_text: NullableText,
  other_funding: Type.Array(FundingEntry),
  medium: oneOf(mediums),
  complete: Type.Boolean(),
  itunes_block: Type.Boolean(),
  hosting_type: oneOf(hostingTypes),
  feed_locked: Type.Boolean(),
  brand_color: NullableText,
  player_color: NullableText,
  player_theme: oneOf(playerThemes),
  player_waveform: Type.Boolean(),
  show_powered_by: Type.Boolean(),
  timezone: Text,
  team_keys: Type.Boolean(),
  new_feed_url: NullableText,
});

export const episodeFields = optional({
  slug: Text,
  title: Text,
  itunes_title: NullableText,
  subtitle: NullableText,
  description: Text,
  show_notes_html: NullableHtml,
  season: NullableWhole,
  season_name: NullableText,
  episode: Type.Integer(),
  episode_display: NullableText,
  type: oneOf(episodeTypes),
  explicit: Type.Boolean(),
  itunes_block: Type.Boolean(),
  link_url: NullableText,
  share_transcript_with_cohosts: Type.Boolean(),
  publish_transcript: Type.Boolean(),
});

/** These fields of a seed file's entry. */
type Entry<T extends TProperties> = { readonly [K in keyof T]?: Static<T[K]> | undefined };

/** Converts the given fields; missing ones stay missing and get defaults from the verbs. */
export function readPodcastFields(entry: Entry<typeof podcastFields>): Partial<PodcastFields> {
  const { otherCategories, otherFunding, ...fields } = readFields(podcastFields, entry);
  return {
    ...fields,
    ...(otherCategories && {
      otherCategories: otherCategories.map((one) => ({ subcategory: null, ...one })),
    }),
    ...(otherFunding && { otherFunding: otherFunding.map((one) => ({ text: null, ...one })) }),
  };
}

export function readEpisodeFields(entry: Entry<typeof episodeFields>): Partial<EpisodeFields> {
  const { episode, type, ...fields } = readFields(episodeFields, entry);
  return {
    ...fields,
    ...(episode !== undefined && { episodeNumber: episode }),
    ...(type !== undefined && { episodeType: type }),
  };
}

function readFields<T extends TProperties>(table: T, entry: Entry<T>) {
  const given = Object.keys(table).flatMap((name) =>
    entry[name] === undefined ? [] : [[name, entry[name]]],
  );
  return domainNames(Object.fromEntries(given)) as Unwired<{ [K in keyof T]?: Static<T[K]> }>;
}

/** The fields as optional properties of an object schema. */
function optional<T extends TProperties>(table: T) {
  return Object.fromEntries(
    Object.entries(table).map(([name, form]) => [name, Type.Optional(form)]),
  ) as { [K in keyof T]: TOptional<T[K]> };
}
