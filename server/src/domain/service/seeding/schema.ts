import Type, { type Static } from 'typebox';
import type { ExpiryDays } from '../../access/keys/index.ts';
import { downloadSources } from '../../audience/downloads/index.ts';
import {
  episodeStatuses,
  podcastStatuses,
  roles,
  userScopes,
} from '../../foundation/enumerations.ts';
import {
  AudioEntry,
  ChaptersEntry,
  entry,
  episodeElementSchemas,
  episodeSchemas,
  list,
  Moment,
  NullableMoment,
  NullablePath,
  NullableText,
  NullableWhole,
  nullable,
  OtherTranscriptEntry,
  oneOf,
  personProperties,
  podcastElementSchemas,
  podcastSchemas,
  Text,
  TranscriptEntry,
} from '../shows/edits/index.ts';

/**
 * The form of a seed file (SEED-1): names, types, and required fields. The
 * verbs check everything else.
 */

// Without "/", which separates a podcast's ref from its episode's.
const Ref = Type.String({
  pattern: '^[^/]{1,200}$',
  description: 'This must have 1 to 200 characters without "/".',
});
const Flag = Type.Optional(Type.Boolean());

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

const PersonEntry = entry({ ref: Ref, ...personProperties });

const SourceEntry = entry({
  guid: Type.Optional(NullableText),
  enclosure_url: Type.Optional(NullableText),
});

const EpisodeEntry = entry({
  ref: Ref,
  ...episodeSchemas,
  ...episodeElementSchemas,
  slug: Text,
  title: Text,
  // Null means the same as missing.
  episode: Type.Optional(NullableWhole),
  status: Type.Optional(oneOf(episodeStatuses)),
  published_at: Type.Optional(NullableMoment),
  scheduled_for: Type.Optional(NullableMoment),
  created_at: Type.Optional(NullableMoment),
  audio: nullable(AudioEntry),
  artwork: Type.Optional(NullablePath),
  people: list(Ref),
  transcript: nullable(TranscriptEntry),
  other_transcripts: list(OtherTranscriptEntry),
  chapters: nullable(ChaptersEntry),
  source: nullable(SourceEntry),
});

const PodcastEntry = entry({
  ref: Ref,
  owner: Ref,
  ...podcastSchemas,
  ...podcastElementSchemas,
  slug: Text,
  title: Text,
  previous_slugs: list(Text),
  guid: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 200 }),
  ),
  status: Type.Optional(oneOf(podcastStatuses)),
  artwork: Type.Optional(NullablePath),
  header_image: Type.Optional(NullablePath),
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
      description: 'This must be "all" or a list of podcasts.',
    }),
  ),
  expires_in_days: Type.Optional(Type.Unsafe<ExpiryDays>({ type: 'integer' })),
});

const DownloadEntry = entry({
  // `podcast/episode`, or the episode's ref alone.
  episode: Text,
  at: Moment,
  ip: Text,
  user_agent: NullableText,
  referrer: Type.Optional(NullableText),
  source: Type.Optional(oneOf(downloadSources)),
  seconds: Type.Optional(
    Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1_000_000 }),
  ),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});

// `checkSite` says what each flow requires.
const SiteEntry = entry({
  ref: Ref,
  user: Ref,
  flow: oneOf(['code', 'key']),
  site_url: Type.Optional(Text),
  rest_root: Type.Optional(Text),
  podcasts: Type.Array(Ref, { minItems: 1 }),
  transcripts: Flag,
  code_challenge: Type.Optional(Text),
});

export const SeedFileSchema = entry({
  users: list(UserEntry),
  podcasts: list(PodcastEntry),
  keys: list(KeyEntry),
  sites: list(SiteEntry),
  downloads: list(DownloadEntry),
});

export type SeedFile = Static<typeof SeedFileSchema>;
export type UserEntry = Static<typeof UserEntry>;
export type MemberEntry = Static<typeof MemberEntry>;
export type PersonEntry = Static<typeof PersonEntry>;
export type EpisodeEntry = Static<typeof EpisodeEntry>;
export type PodcastEntry = Static<typeof PodcastEntry>;
export type KeyEntry = Static<typeof KeyEntry>;
export type SiteEntry = Static<typeof SiteEntry>;
export type DownloadEntry = Static<typeof DownloadEntry>;
