import Type, { type TSchema } from 'typebox';

/** Shapes of the public payloads, in the wire's names. They validate nothing: they write answers. */

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const text = (description: string) => Type.String({ description });
const url = (description: string) => Type.String({ format: 'uri', description });
const id = (description: string) => Type.String({ format: 'uuid', description });

const Artwork = Type.Object(
  { url: nullable(Type.String({ format: 'uri' }), 'Address of the picture; null: there is none') },
  { description: 'Square picture' },
);

export const PublicPodcast = Type.Object(
  {
    id: id('Never changes'),
    slug: text('The current name in public addresses'),
    guid: nullable(Type.String(), 'Podcast GUID of the Podcasting 2.0 namespace'),
    title: text('Title'),
    subtitle: nullable(Type.String(), 'Subtitle'),
    author: text('Who makes the show'),
    description: text('Plain text'),
    language: text('BCP 47 language tag'),
    category: nullable(Type.String(), "Apple's name of the category"),
    subcategory: nullable(Type.String(), "Apple's name of the subcategory"),
    explicit: Type.Boolean({ description: 'Whether the show is marked explicit' }),
    artwork: Artwork,
    brand_color: nullable(Type.String({ pattern: '^#[0-9a-f]{6}$' }), 'Colour of the show'),
    player_color: nullable(Type.String({ pattern: '^#[0-9a-f]{6}$' }), 'Colour of its player'),
    player_theme: Type.Enum(['light', 'dark', 'auto'], { description: 'Theme of its player' }),
    player_waveform: Type.Boolean({ description: 'Whether its player draws the waveform' }),
    website_url: nullable(Type.String({ format: 'uri' }), "The show's own website"),
    episode_count: Type.Integer({ minimum: 0, description: 'Public episodes' }),
    links: Type.Object(
      { listen: url('Page to listen at'), feed: url('RSS feed') },
      { description: 'Where the show is found' },
    ),
    branding: Type.Object(
      { show_powered_by: Type.Boolean({ description: 'Whether players name the service' }) },
      { description: 'What embedding pages show' },
    ),
  },
  { $id: 'PublicPodcast', description: 'A podcast as the public sees it' },
);

const Audio = Type.Object(
  {
    url: nullable(Type.String({ format: 'uri' }), 'Address of the audio; it never changes'),
    content_type: nullable(Type.String(), 'Media type'),
    duration_seconds: nullable(Type.Integer({ minimum: 0 }), 'Length in seconds'),
    size_bytes: nullable(Type.Integer({ minimum: 0 }), 'Size of the file in bytes'),
  },
  { description: 'The enclosure; every field is null for an episode without audio' },
);

const Credit = Type.Object(
  {
    name: text('Name'),
    role: text('Role of the Podcasting 2.0 taxonomy, lower case'),
    photo_url: nullable(Type.String({ format: 'uri' }), 'Picture of the person'),
  },
  { description: 'A person on the episode' },
);

const Transcript = Type.Object(
  {
    url: url('Address of the file'),
    content_type: text('Media type, text/vtt'),
    language: text('BCP 47 language tag'),
  },
  { description: 'The published transcript' },
);

const episodeFields = {
  id: id('Never changes'),
  slug: text('The current name in public addresses'),
  title: text('Title'),
  description: text('Plain text'),
  season_number: Type.Integer({
    minimum: 0,
    maximum: 9999,
    description: 'Season; 1 for a show without seasons',
  }),
  episode_number: Type.Integer({ minimum: 0, description: 'Number of the episode' }),
  episode_type: Type.Enum(['full', 'trailer', 'bonus'], { description: 'Kind of episode' }),
  explicit: Type.Boolean({ description: 'Whether the episode is marked explicit' }),
  published_at: Type.String({ format: 'date-time', description: 'Publication, UTC' }),
  audio: Audio,
  artwork: Artwork,
  links: Type.Object(
    { listen: url('Page to listen at'), embed: url('Player for an iframe') },
    { description: 'Where the episode is found' },
  ),
  people: Type.Array(Credit, { description: "Its own credits, else the show's roster" }),
  transcript: Type.Union([Transcript, Type.Null()], {
    description: 'Null where its makers publish none',
  }),
};

export const PublicEpisode = Type.Object(episodeFields, {
  $id: 'PublicEpisode',
  description: 'An episode in a list',
});

export const PublicEpisodeDetail = Type.Object(
  {
    ...episodeFields,
    subtitle: nullable(Type.String(), 'Subtitle'),
    show_notes_html: nullable(Type.String(), 'Sanitised HTML'),
    chapters_url: nullable(Type.String({ format: 'uri' }), 'Podcasting 2.0 JSON chapters'),
    podcast: Type.Object(
      { id: id('Of the podcast'), slug: text('Of the podcast'), title: text('Of the podcast') },
      { description: 'The podcast it belongs to' },
    ),
  },
  { $id: 'PublicEpisodeDetail', description: 'One episode, whole' },
);

export const Pagination = Type.Object(
  {
    next_cursor: nullable(
      Type.String(),
      'Opaque; pass it as `cursor` for the next page. Null on the last one',
    ),
  },
  { $id: 'Pagination', description: 'How to go on' },
);

export const OEmbed = Type.Object(
  {
    type: Type.Literal('rich', { description: 'Always rich' }),
    version: Type.Literal('1.0', { description: 'Of oEmbed' }),
    title: text('Of the podcast or episode'),
    author_name: text('Author of the podcast'),
    provider_name: text('Podstead'),
    provider_url: url('This installation'),
    documentation: url('Where this API is described'),
    cache_age: Type.Integer({ description: 'Seconds to keep this answer' }),
    html: text('One iframe'),
    width: Type.Integer({ description: 'Of the iframe, in pixels' }),
    height: Type.Integer({ description: 'Of the iframe, in pixels' }),
    thumbnail_url: Type.Optional(url('Artwork; with both sizes or not at all')),
    thumbnail_width: Type.Optional(Type.Integer({ description: 'In pixels' })),
    thumbnail_height: Type.Optional(Type.Integer({ description: 'In pixels' })),
  },
  { $id: 'OEmbed', description: 'oEmbed 1.0 rich answer' },
);

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object(
      {
        code: text('Stable code; `docs_url` leads to its entry'),
        message: text('Words for people'),
        details: Type.Optional(
          Type.Array(
            Type.Object(
              {
                field: text('The parameter or property'),
                message: text('What is wrong with it'),
                reason: Type.Optional(text('Stable machine value')),
              },
              { additionalProperties: false },
            ),
            { description: 'Every wrong field' },
          ),
        ),
        docs_url: Type.Optional(url('Where the code is explained')),
        request_id: Type.Optional(text('To quote in a report')),
      },
      { additionalProperties: false, description: 'The error' },
    ),
  },
  { $id: 'Error', additionalProperties: false, description: 'The body of every error' },
);
