import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { maxShowNotesLength } from '../../lib/html/sanitise-show-notes.ts';
import { episodeStatuses, episodeTypes } from '../episodes/index.ts';
import { type ExpiryDays, userScopes } from '../keys/index.ts';
import { hostingTypes, playerThemes, podcastStatuses, roles } from '../podcasts/index.ts';

/**
 * The form of a world file (operator.md, "World files"): names, types, what is required. What a
 * value must be like beyond that is the verbs' to say.
 */

const entry = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
const list = <T extends TSchema>(items: T) => Type.Optional(Type.Array(items));

// Without "/", which parts a podcast's ref from its episode's.
const Ref = Type.String({
  pattern: '^[^/]{1,200}$',
  description: '1 to 200 characters without "/"',
});
const Text = Type.String();
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const NullableWhole = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const Flag = Type.Optional(Type.Boolean());
const Path = Type.String({ minLength: 1 });
const NullablePath = Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1 });
const NullableMoment = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'moment' });

const UserEntry = entry({
  ref: Ref,
  email: Text,
  name: Type.Optional(Text),
  password: Text,
  accepts_terms: Flag,
  plan: Type.Optional(Text),
  plan_state: Type.Optional(oneOf(['active', 'lapsed'])),
});

const MemberEntry = entry({
  user: Ref,
  role: oneOf(roles),
  role_name: Type.Optional(Text),
  capabilities: list(Text),
});

const PersonEntry = entry({
  ref: Ref,
  name: Text,
  role: Type.Optional(Text),
  group: Type.Optional(Text),
  user: Type.Optional(NullableText),
  bio: Type.Optional(NullableText),
  link_url: Type.Optional(NullableText),
  photo: Type.Optional(NullablePath),
  roster: Flag,
});

/** Null says the same as leaving it out. */
const nullable = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] }));
const eitherOr = (first: string, second: string) => ({
  additionalProperties: false,
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's word for it.
  then: {
    oneOf: [{ required: [first] }, { required: [second] }],
    description: `exactly one of ${first} and ${second}`,
  },
});

const AudioEntry = Type.Object(
  {
    file: Type.Optional(Path),
    tone_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 7200 })),
  },
  eitherOr('file', 'tone_seconds'),
);

const TranscriptEntry = Type.Object(
  {
    file: Type.Optional(Path),
    text: Type.Optional(Text),
    language: Type.Optional(Type.String({ format: 'language' })),
  },
  eitherOr('file', 'text'),
);

const ChaptersEntry = Type.Object(
  { file: Type.Optional(Path), text: Type.Optional(Text) },
  eitherOr('file', 'text'),
);

const SourceEntry = entry({
  guid: Type.Optional(NullableText),
  enclosure_url: Type.Optional(NullableText),
});

const EpisodeEntry = entry({
  ref: Ref,
  slug: Text,
  title: Text,
  subtitle: Type.Optional(NullableText),
  description: Type.Optional(Text),
  show_notes_html: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: maxShowNotesLength }),
  ),
  season: Type.Optional(NullableWhole),
  episode: Type.Optional(NullableWhole),
  type: Type.Optional(oneOf(episodeTypes)),
  explicit: Flag,
  status: Type.Optional(oneOf(episodeStatuses)),
  published_at: Type.Optional(NullableMoment),
  scheduled_for: Type.Optional(NullableMoment),
  created_at: Type.Optional(NullableMoment),
  audio: nullable(AudioEntry),
  people: list(Ref),
  share_transcript_with_cohosts: Flag,
  publish_transcript: Flag,
  transcript: nullable(TranscriptEntry),
  chapters: nullable(ChaptersEntry),
  source: nullable(SourceEntry),
});

const PodcastEntry = entry({
  ref: Ref,
  owner: Ref,
  slug: Text,
  previous_slugs: list(Text),
  title: Text,
  subtitle: Type.Optional(NullableText),
  author: Type.Optional(Text),
  description: Type.Optional(Text),
  language: Type.Optional(Text),
  category: Type.Optional(NullableText),
  subcategory: Type.Optional(NullableText),
  explicit: Flag,
  guid: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 200 }),
  ),
  website_url: Type.Optional(NullableText),
  brand_color: Type.Optional(NullableText),
  player_color: Type.Optional(NullableText),
  player_theme: Type.Optional(oneOf(playerThemes)),
  player_waveform: Flag,
  timezone: Type.Optional(Text),
  status: Type.Optional(oneOf(podcastStatuses)),
  new_feed_url: Type.Optional(NullableText),
  hosting_type: Type.Optional(oneOf(hostingTypes)),
  team_keys: Flag,
  artwork: Type.Optional(NullablePath),
  created_at: Type.Optional(NullableMoment),
  members: list(MemberEntry),
  people: list(PersonEntry),
  episodes: list(EpisodeEntry),
});

const KeyEntry = entry({
  ref: Ref,
  user: Ref,
  name: Type.Optional(Text),
  scopes: Type.Array(oneOf(userScopes)),
  podcasts: Type.Optional(
    Type.Unsafe<'all' | string[]>({
      oneOf: [{ const: 'all' }, { type: 'array', items: Ref, minItems: 1 }],
      description: 'either "all" or a list of podcasts',
    }),
  ),
  expires_in_days: Type.Optional(Type.Unsafe<ExpiryDays>({ type: 'integer' })),
});

// Of sites and downloads this version only sees that they are lists of objects.
const PassedOver = list(Type.Object({}));

export const WorldSchema = entry({
  users: list(UserEntry),
  podcasts: list(PodcastEntry),
  keys: list(KeyEntry),
  sites: PassedOver,
  downloads: PassedOver,
});

export type World = Static<typeof WorldSchema>;
export type UserEntry = Static<typeof UserEntry>;
export type MemberEntry = Static<typeof MemberEntry>;
export type PersonEntry = Static<typeof PersonEntry>;
export type EpisodeEntry = Static<typeof EpisodeEntry>;
export type AudioEntry = Static<typeof AudioEntry>;
export type TranscriptEntry = Static<typeof TranscriptEntry>;
export type ChaptersEntry = Static<typeof ChaptersEntry>;
export type PodcastEntry = Static<typeof PodcastEntry>;
export type KeyEntry = Static<typeof KeyEntry>;
