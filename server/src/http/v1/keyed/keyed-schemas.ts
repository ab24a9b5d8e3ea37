import Type, { type TSchema } from 'typebox';
import { siteStatuses } from '../../../domain/exchange/sites/index.ts';
import { planIds } from '../../../domain/foundation/accounts/index.ts';
import {
  episodeStatuses,
  episodeTypes,
  hostingTypes,
  keyKinds,
  podcastStatuses,
  roles,
  scopes,
} from '../../../domain/foundation/enumerations.ts';
import { capabilities } from '../../../domain/foundation/permissions/index.ts';
import {
  count,
  episodeExample,
  flag,
  exampleBaseUrl as host,
  id,
  imageExample,
  moment,
  named,
  nullable,
  part,
  podcastExample,
  someCount,
  someMoment,
  someText,
  someUrl,
  text,
  values,
} from '../../openapi/described-fields.ts';
import { Audio } from '../public-schemas.ts';

/** The schemas of responses to keys, with the names of the API; see ../public-schemas.ts. */

/** Marks a field that the original description never made null, and that may be null here. */
const widened = <T extends TSchema>(schema: T, description: string) =>
  nullable(schema, `${description} **Widened**: be ready for null.`);

const Timestamp = '2026-03-01T05:00:00.000Z';

export const Me = named('Me', 'Who a key belongs to, and what it may be used for.', {
  user: part('The user of the key.', {
    id: id('Never changes.', '0197a3c4-9c1d-7e2f-8a3b-4c5d6e7f8091'),
    name: text('The name of the user.', 'Ana Example'),
    email: Type.Optional(text("Missing for a site's key.", 'ana@example.com')),
  }),
  key: part('The key that was sent.', {
    id: id('Stays the same when the key is rolled.', '0197a3c4-b3f5-7a60-9b71-0c2d4e6f8a91'),
    name: text('The name of the key.', 'Newsletter'),
    kind: values(keyKinds, 'Created by a user, or by connecting a site.', 'user'),
    last_four: text('The end of the secret that was sent.', 'x7Qa'),
    scopes: Type.Array(values(scopes, 'A scope.', 'episodes:read'), {
      description: 'What the key may be used for.',
    }),
    podcasts: Type.Union(
      [
        Type.Literal('all', { description: 'Every podcast the user is a member of.' }),
        Type.Array(id('The id of a podcast.', podcastExample), {
          description: 'The podcasts that it is limited to, without those with a cut-off.',
        }),
      ],
      { description: 'What the key is limited to.' },
    ),
    created_at: moment('When the key was created.', '2026-01-05T09:30:00.000Z'),
    expires_at: moment('When the secret that was sent expires.', '2026-04-05T09:30:00.000Z'),
  }),
  account: part("The user's account. For other people's podcasts, their owner's plan applies.", {
    plan: values(planIds, "The plan of the user's own account.", 'studio'),
    plan_name: text('The name of the plan.', 'Studio'),
    plan_state: values(['active', 'lapsed'], 'Whether it is paid for.', 'active'),
  }),
  rate_limit: part('The quota of the user.', {
    requests_per_minute: Type.Integer({
      minimum: 1,
      description: "Across all of the user's keys.",
      examples: [600],
    }),
  }),
  site: nullable(
    Type.Object({
      id: id('The id of the connected site.', '0197a3c4-d7a9-7c82-ad93-2e4f6a8b0cb3'),
      site_url: text('Its home URL.', 'https://blog.example.com/'),
      status: values(siteStatuses, "The connection's state.", 'active'),
    }),
    'The site whose key this is; null for a key created by a user.',
  ),
});

export const KeyedPodcast = named('KeyedPodcast', 'A podcast that the key can access.', {
  id: id('Never changes.', podcastExample),
  slug: text('The current name in public URLs.', 'night-signals'),
  title: text('Name of the show.', 'Night Signals'),
  role: values(roles, "The key's user in this show.", 'owner'),
  role_name: text('The name of the role; a custom role has its own.', 'Owner'),
  capabilities: Type.Array(values(capabilities, 'A capability.', 'episodes.view_all'), {
    description: 'What the role allows, in alphabetical order.',
  }),
  status: values(podcastStatuses, 'Whether and how the public sees the show.', 'active'),
  hosting_type: values(hostingTypes, '`external`: its audio is hosted elsewhere.', 'hosted'),
  timezone: text('IANA name.', 'Europe/Berlin'),
  created_at: moment('When the podcast was created here.', '2025-11-20T16:02:11.417Z'),
});

const fingerprint = (description: string) =>
  nullable(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    description,
  );

const listItem = {
  id: id('Never changes.', episodeExample),
  podcast_id: id('The id of its podcast.', podcastExample),
  slug: text('The current name in public URLs.', 'first-light'),
  title: text('Name of the episode.', 'First light'),
  subtitle: nullable(someText('A conversation at dawn'), 'One line about the episode.'),
  status: values(
    episodeStatuses,
    'The current status: a scheduled episode whose time has come is `published`.',
    'published',
  ),
  episode_number: count('Number of the episode; never changed by later ones.', 7),
  season_number: nullable(
    Type.Integer({ minimum: 0, maximum: 9999, examples: [1] }),
    'Null in a show without seasons.',
  ),
  episode_type: values(episodeTypes, 'Kind of episode.', 'full'),
  published_at: widened(someMoment(Timestamp), 'Null before publication.'),
  scheduled_for: nullable(someMoment('2026-04-02T05:00:00.000Z'), 'Null unless it is scheduled.'),
  duration_seconds: widened(someCount(1834), 'Null before there is audio.'),
  created_at: moment('When the episode was created here.', '2026-02-20T10:15:30.250Z'),
  rss_guid: nullable(
    someText('tag:example.com,2020:1'),
    'GUID in the public feed. Null until the episode is public, and if its source GUID contains a credential.',
  ),
  source: part(
    'Fingerprints of the origin of an imported episode. Different URLs may have the same one.',
    {
      guid_sha256: fingerprint(
        'Fingerprint of the GUID that it was imported with (normalisation v1). Null if that contains a credential.',
      ),
      enclosure_sha256: fingerprint(
        'Fingerprint of the URL that its audio was imported from (normalisation v1). Null until the episode is public.',
      ),
    },
  ),
};

export const KeyedEpisodeListItem = named(
  'KeyedEpisodeListItem',
  'An episode in a list, without texts and media.',
  listItem,
);

const showNotes = {
  show_notes: nullable(someText('With links.'), 'Plain text.'),
  show_notes_html: nullable(
    someText('<p>With <a href="https://example.com/">links</a>.</p>'),
    'Sanitized HTML.',
  ),
};

export const KeyedEpisode = named('KeyedEpisode', 'One episode in full.', {
  ...listItem,
  explicit: flag('Whether the episode is marked explicit.', false),
  description: text('Plain text.', 'What the antenna heard before dawn.'),
  ...showNotes,
  media: part('All URLs are null until the episode is public.', {
    audio: Audio,
    cover_image_url: nullable(someUrl(imageExample), 'Picture of the episode.'),
    chapters_url: nullable(
      someUrl(`${host}/chapters/${episodeExample}.json`),
      'Chapters in the JSON form of the Podcasting 2.0 namespace.',
    ),
    transcript_url: nullable(
      someUrl(`${host}/transcripts/${episodeExample}.vtt`),
      'Null if no transcript is published; `.html` if it has no times.',
    ),
  }),
});

export const ShowNotes = named('ShowNotes', 'The show notes of an episode.', {
  episode_id: id('The id of the episode.', episodeExample),
  ...showNotes,
  updated_at: moment('When the episode was last changed.', '2026-02-28T21:40:00.000Z'),
});

const personId = '0197a3c4-c5b7-7d81-9ea2-f3a4b5c6d7e8';
const credited = {
  name: text('The name in credits.', 'Bo Example'),
  role: text('Role of the Podcasting 2.0 taxonomy, lower case.', 'guest'),
  group: text('Group of that taxonomy, lower case.', 'cast'),
  link_url: nullable(someUrl('https://bo.example/'), 'A page about the person.'),
};
const bio = someText('Builds antennas.');
const picture = someUrl(`${host}/images/0197a3c4-8f42-7ba1-83d5-e6f7a8b9c0d1.jpg`);

export const RosterMember = named(
  'RosterMember',
  'A person who is credited on episodes without credits of their own.',
  {
    id: id('Never changes.', personId),
    ...credited,
    bio: nullable(bio, 'Plain text.'),
    photo_url: nullable(picture, "The person's picture. Also null while the show is a draft."),
  },
);

export const EpisodeCredit = named(
  'EpisodeCredit',
  'A person on an episode, as the feed credits them.',
  {
    id: id('The id of the credit, or of the person if the credit is from the roster.', personId),
    ...credited,
    bio: nullable(bio, 'Plain text. Null until the episode is public.'),
    avatar_url: nullable(picture, "The person's picture. Null until the episode is public."),
  },
);

const seconds = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] });

export const TranscriptPage = named(
  'TranscriptPage',
  'Part of a transcript, with data about the whole.',
  {
    episode_id: id('The id of the episode.', episodeExample),
    language: text('BCP 47 language tag.', 'en'),
    word_count: count('Number of words in the whole transcript.', 4210),
    duration_seconds: count('The end of the last segment; 0 if the transcript has no times.', 1834),
    total_segments: count('Number of segments in the whole transcript.', 312),
    segments: Type.Array(
      part('A stretch of speech.', {
        id: count('Position in the transcript, from 0.', 0),
        start: seconds('In seconds, three decimals; 0 in a transcript without times.', 1.5),
        end: seconds('In seconds, three decimals; 0 in a transcript without times.', 4.25),
        speaker: text('Empty if no one is named.', 'Bo Example'),
        text: text('Plain text, without links that contain a token.', 'Good morning.'),
      }),
      { description: 'In order.' },
    ),
  },
);
