import Type from 'typebox';
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
  someText,
  someUrl,
  text,
  url,
  values,
} from '../openapi/described-fields.ts';

/**
 * The schemas of public responses, with the names of the API. They serialize and describe responses.
 * Each field has a description, and an example if its type is not enough.
 */

const Artwork = part('A square picture.', {
  url: nullable(someUrl(imageExample), "The picture's URL; null: there is none."),
});

const color = (example: string, description?: string) =>
  Type.String({
    pattern: '^#[0-9a-f]{6}$',
    examples: [example],
    ...(description !== undefined && { description }),
  });

export const PublicPodcast = named('PublicPodcast', 'A podcast as the public sees it.', {
  id: id('Never changes.', podcastExample),
  slug: text('The current name in public URLs.', 'night-signals'),
  guid: nullable(
    someText('5b3fdd24-3c0f-5b6e-9c1d-2f4a6b8c0d1e'),
    'Podcast GUID of the Podcasting 2.0 namespace; stays the same if the show moves.',
  ),
  title: text('Name of the show.', 'Night Signals'),
  subtitle: nullable(someText('Radio after midnight'), 'One line about the show.'),
  author: text('Who makes the show.', 'Ana Example'),
  description: text('Plain text.', 'Conversations about what is heard at night.'),
  language: text('BCP 47 language tag.', 'en'),
  category: nullable(someText('Science'), "One of Apple's category names."),
  subcategory: nullable(someText('Astronomy'), "One of Apple's names within the category."),
  explicit: flag('Whether the show is marked explicit.', false),
  artwork: Artwork,
  brand_color: nullable(color('#aa3300'), "The show's color."),
  player_color: nullable(color('#224466'), 'Color of its player, if it has its own.'),
  color: color(
    '#224466',
    "The color of its player: `player_color`, else `brand_color`, else the cover's, else one derived from the id.",
  ),
  player_theme: Type.Enum(['light', 'dark', 'auto'], {
    type: 'string',
    description: 'Theme of its player; `auto` follows the listener.',
    examples: ['light'],
  }),
  player_waveform: flag('Whether its player draws the waveform.', true),
  website_url: nullable(someUrl('https://example.com/'), "The show's own website."),
  timezone: text(
    "IANA name of the time zone in which its episodes' dates are shown.",
    'Europe/Berlin',
  ),
  episode_count: count('Number of public episodes.', 42),
  links: part("The show's URLs.", {
    listen: url('Listen page.', `${host}/listen/night-signals`),
    feed: url('RSS feed.', `${host}/feeds/night-signals.xml`),
  }),
  branding: part('Settings for pages that embed the player.', {
    show_powered_by: flag('Whether players name the service.', true),
  }),
});

const audioFields = {
  url: nullable(
    someUrl(`${host}/media/${episodeExample}/first-light.mp3`),
    "The audio's URL, which never changes. Null if the episode has none.",
  ),
  content_type: nullable(someText('audio/mpeg'), 'Media type of the file.'),
  duration_seconds: nullable(someCount(1834), 'Length in whole seconds; null if unknown.'),
  size_bytes: nullable(someCount(29344512), 'File size in bytes; null if unknown.'),
};
const audioDescription = 'The recording; every field is null for an episode without one.';
export const Audio = part(audioDescription, audioFields);

const Credit = part('A person on the episode.', {
  name: text('The name in credits.', 'Bo Example'),
  role: text('Role of the Podcasting 2.0 taxonomy, lower case.', 'guest'),
  photo_url: nullable(
    someUrl(`${host}/images/0197a3c4-8f42-7ba1-83d5-e6f7a8b9c0d1.jpg`),
    "The person's picture.",
  ),
});

const Transcript = part('The published transcript.', {
  url: url(
    "The file's URL; replace `.vtt` with `.srt` or `.json` for other formats. A transcript without times is text, not captions: it has one file, `.html`.",
    `${host}/transcripts/${episodeExample}.vtt`,
  ),
  content_type: text(
    'Media type of the file at `url`: `text/vtt`, or `text/html` without times.',
    'text/vtt',
  ),
  language: text('BCP 47 language tag.', 'en'),
});

export const episodeFields = {
  id: id('Never changes.', episodeExample),
  slug: text('The current name in public URLs.', 'first-light'),
  title: text('Name of the episode.', 'First light'),
  description: text('Plain text.', 'What the antenna heard before dawn.'),
  season_number: Type.Integer({
    minimum: 0,
    maximum: 9999,
    description: 'Season; 1 for a show without seasons.',
    examples: [1],
  }),
  episode_number: count('Number of the episode; never changed by later ones.', 7),
  episode_type: values(['full', 'trailer', 'bonus'], 'Kind of episode.', 'full'),
  explicit: flag('Whether the episode is marked explicit.', false),
  published_at: moment('Time of publication, UTC.', '2026-03-01T05:00:00.000Z'),
  audio: Audio,
  artwork: Artwork,
  links: part("The episode's URLs.", {
    listen: url('Listen page.', `${host}/listen/night-signals/first-light`),
    embed: url('Player, for an iframe.', `${host}/ep/${episodeExample}`),
  }),
  people: Type.Array(Credit, { description: "Its own credits, else the show's roster." }),
  transcript: nullable(Transcript, 'Null if none is published.'),
};

export const PublicEpisode = named('PublicEpisode', 'An episode in a list.', episodeFields);

export const episodeTexts = {
  ai_content: nullable(
    Type.Boolean({ examples: [false] }),
    'Whether its makers state that AI made a substantial part of it; null if they do not say.',
  ),
  subtitle: nullable(someText('A conversation at dawn'), 'One line about the episode.'),
  show_notes_html: nullable(
    someText('<p>With <a href="https://example.com/">links</a>.</p>'),
    'Sanitized HTML.',
  ),
};

export const PublicEpisodeDetail = named('PublicEpisodeDetail', 'One episode in full.', {
  ...episodeFields,
  audio: part(audioDescription, {
    ...audioFields,
    waveform_url: nullable(
      someUrl(`${host}/waveforms/${episodeExample}.json`),
      'The waveform: JSON with `duration_seconds` and `peaks`, at most 400 values from 0 to 255, one for each equal part. Null if the show has switched it off, or if there is none yet.',
    ),
  }),
  ...episodeTexts,
  chapters_url: nullable(
    someUrl(`${host}/chapters/${episodeExample}.json`),
    'Chapters in the JSON form of the Podcasting 2.0 namespace.',
  ),
  podcast: part('The podcast it belongs to.', {
    id: id('The id of the podcast.', podcastExample),
    slug: text('The slug of the podcast.', 'night-signals'),
    title: text('The title of the podcast.', 'Night Signals'),
  }),
});

export const Pagination = named('Pagination', 'The position of the next page.', {
  next_cursor: nullable(
    someText('kY0fB1xq7dQm2l8uZ3nRtlsiMjAyNi0wMy0wMSJd'),
    'Pass it as `cursor` for the next page. Null on the last one.',
  ),
});

const pixels = (description: string, example: number) =>
  Type.Integer({ minimum: 1, description, examples: [example] });

export const OEmbed = named('OEmbed', 'An oEmbed 1.0 response of the type `rich`.', {
  type: Type.Literal('rich', { description: 'HTML to embed.', examples: ['rich'] }),
  version: Type.Literal('1.0', { description: 'Version of oEmbed.', examples: ['1.0'] }),
  title: text('The title of the podcast or the episode.', 'First light'),
  author_name: text('Author of the podcast.', 'Ana Example'),
  provider_name: text('Name of the service.', 'Podstead'),
  provider_url: url('This installation.', host),
  documentation: url('Where this API is documented.', `${host}/docs`),
  cache_age: count('Seconds for which a consumer may cache this response.', 3600),
  html: text(
    'One `<iframe>` with a title, and nothing else.',
    `<iframe src="${host}/ep/${episodeExample}" title="First light" width="600" height="180"></iframe>`,
  ),
  width: pixels('Width of the iframe, in pixels.', 600),
  height: pixels('Height of the iframe, in pixels; at most 120 gives the compact player.', 180),
  thumbnail_url: Type.Optional(
    url(
      'A copy of the artwork within `maxwidth` and `maxheight`, at most 640 pixels a side. All three thumbnail fields are present, or none.',
      'https://podstead.example/images/0197a3c4-7e31-7a90-b2c4-d5e6f7a8b9c0/640.jpg',
    ),
  ),
  thumbnail_width: Type.Optional(pixels('Width of the thumbnail, in pixels.', 640)),
  thumbnail_height: Type.Optional(pixels('Height of the thumbnail, in pixels.', 640)),
});
