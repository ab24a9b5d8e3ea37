import Type, { type Static, type TOptional, type TSchema } from 'typebox';
import { type EpisodeFields, episodeTypes } from '../episodes/index.ts';
import {
  type Category,
  type Funding,
  hostingTypes,
  mediums,
  type PodcastFields,
  playerThemes,
  showTypes,
} from '../podcasts/index.ts';
import {
  CategoryEntry,
  FundingEntry,
  NullableHtml,
  NullableText,
  NullableWhole,
  oneOf,
  Text,
} from './forms.ts';

/**
 * The fields of podcasts and episodes: their names in seed files and commands, their schemas, and
 * their names in the domain. Seed files, `podcast set` and `episode set` use this table, so a new
 * field is one line here. The verbs check everything beyond the schema.
 */
interface Field<N extends string = string, S extends TSchema = TSchema> {
  readonly name: N;
  readonly form: S;
  /** Converts the value for the verbs, if it differs. */
  readonly read?: (value: never) => unknown;
}

function field<const N extends string, S extends TSchema>(name: N, form: S): Field<N, S> {
  return { name, form };
}

/** A list whose entries have optional fields. */
function listField<const N extends string, S extends TSchema, V>(
  name: N,
  items: S,
  readItem: (item: Static<S>) => V,
) {
  const read = (list: readonly Static<S>[]): readonly V[] => list.map(readItem);
  return { name, form: Type.Array(items), read };
}

export const podcastFields = {
  slug: field('slug', Text),
  title: field('title', Text),
  subtitle: field('subtitle', NullableText),
  author: field('author', Text),
  description: field('description', Text),
  language: field('language', Text),
  category: field('category', NullableText),
  subcategory: field('subcategory', NullableText),
  other_categories: listField('otherCategories', CategoryEntry, (entry): Category => {
    return { category: entry.category, subcategory: entry.subcategory ?? null };
  }),
  explicit: field('explicit', Type.Boolean()),
  show_type: field('showType', oneOf(showTypes)),
  copyright: field('copyright', NullableText),
  website_url: field('websiteUrl', NullableText),
  owner_name: field('ownerName', NullableText),
  owner_email: field('ownerEmail', NullableText),
  funding_url: field('fundingUrl', NullableText),
  funding_text: field('fundingText', NullableText),
  other_funding: listField('otherFunding', FundingEntry, (entry): Funding => {
    return { url: entry.url, text: entry.text ?? null };
  }),
  medium: field('medium', oneOf(mediums)),
  complete: field('complete', Type.Boolean()),
  itunes_block: field('itunesBlock', Type.Boolean()),
  hosting_type: field('hostingType', oneOf(hostingTypes)),
  feed_locked: field('feedLocked', Type.Boolean()),
  brand_color: field('brandColor', NullableText),
  player_color: field('playerColor', NullableText),
  player_theme: field('playerTheme', oneOf(playerThemes)),
  player_waveform: field('playerWaveform', Type.Boolean()),
  show_powered_by: field('showPoweredBy', Type.Boolean()),
  timezone: field('timezone', Text),
  team_keys: field('teamKeys', Type.Boolean()),
  new_feed_url: field('newFeedUrl', NullableText),
} as const satisfies Record<string, Field<keyof PodcastFields>>;

export const episodeFields = {
  slug: field('slug', Text),
  title: field('title', Text),
  itunes_title: field('itunesTitle', NullableText),
  subtitle: field('subtitle', NullableText),
  description: field('description', Text),
  show_notes_html: field('showNotesHtml', NullableHtml),
  season: field('season', NullableWhole),
  season_name: field('seasonName', NullableText),
  episode: field('episodeNumber', Type.Integer()),
  episode_display: field('episodeDisplay', NullableText),
  type: field('episodeType', oneOf(episodeTypes)),
  explicit: field('explicit', Type.Boolean()),
  itunes_block: field('itunesBlock', Type.Boolean()),
  link_url: field('linkUrl', NullableText),
  share_transcript_with_cohosts: field('shareTranscriptWithCohosts', Type.Boolean()),
  publish_transcript: field('publishTranscript', Type.Boolean()),
} as const satisfies Record<string, Field<keyof EpisodeFields>>;

export type FieldTable = Readonly<Record<string, Field>>;

/** These fields of a seed file's entry. */
type Entry<T extends FieldTable> = { readonly [K in keyof T]?: Static<T[K]['form']> | undefined };

/** The same fields under their domain names. */
type Values<T extends FieldTable> = {
  readonly [K in keyof T as T[K]['name']]?: T[K] extends { read: (value: never) => infer V }
    ? V
    : Static<T[K]['form']>;
};

/** The fields as optional properties of an object schema. */
export function optional<T extends FieldTable>(table: T) {
  return Object.fromEntries(
    Object.entries(table).map(([name, { form }]) => [name, Type.Optional(form)]),
  ) as { [K in keyof T]: TOptional<T[K]['form']> };
}

/** Converts the given fields; missing ones stay missing and get defaults from the verbs. */
export function readFields<T extends FieldTable>(table: T, entry: Entry<T>): Values<T> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => {
      const value = entry[name];
      const read = (field.read ?? asItStands) as (value: unknown) => unknown;
      return value === undefined ? [] : [[field.name, read(value)]];
    }),
  ) as Values<T>;
}

const asItStands = (value: unknown) => value;
