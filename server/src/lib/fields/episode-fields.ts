import type { FieldList } from './field.ts';

/** The fields of an episode that its members edit, in the order in which commands print them. */
export const episodeFields = {
  slug: {
    kind: 'slug',
    about: 'Its name in URLs. Former ones redirect to it.',
  },
  title: {
    kind: 'text',
    min: 1,
    max: 500,
    feed: 'title',
    about: 'Its title.',
  },
  itunesTitle: {
    kind: 'text',
    min: 1,
    max: 500,
    nullable: true,
    feed: 'itunes:title',
    about: 'The title for Apple Podcasts, without the number that Apple shows beside it.',
  },
  subtitle: {
    kind: 'text',
    max: 1000,
    nullable: true,
    feed: 'itunes:subtitle',
    about: 'One line that some apps show below the title.',
  },
  description: {
    kind: 'text',
    max: 100_000,
    feed: 'description',
    about: 'What it is about, in plain text. Default: the title.',
  },
  showNotesHtml: {
    kind: 'html',
    nullable: true,
    feed: 'content:encoded',
    about: 'The show notes. HTML that could harm readers is removed.',
  },
  season: {
    kind: 'number',
    max: 9999,
    nullable: true,
    feed: 'itunes:season',
    about: 'The number of its season.',
  },
  seasonName: {
    kind: 'text',
    min: 1,
    max: 128,
    nullable: true,
    feed: 'podcast:season name',
    about: 'The name of its season, beside the number.',
  },
  episodeNumber: {
    kind: 'number',
    max: 1_000_000,
    seedName: 'episode',
    feed: 'itunes:episode',
    about: 'Its number. Default: one more than the highest, which listeners do not see.',
  },
  episodeDisplay: {
    kind: 'text',
    min: 1,
    max: 128,
    nullable: true,
    feed: 'podcast:episode display',
    about: 'How its number is shown, if not as a number.',
  },
  episodeType: {
    kind: 'choice',
    choices: ['full', 'trailer', 'bonus'],
    default: 'full',
    seedName: 'type',
    feed: 'itunes:episodeType',
    about: 'Whether it is a full episode.',
  },
  explicit: {
    kind: 'flag',
    default: false,
    feed: 'itunes:explicit',
    about: 'Whether it has language or topics that are not for children.',
  },
  itunesBlock: {
    kind: 'flag',
    default: false,
    feed: 'itunes:block',
    about: 'Whether Apple Podcasts should not list it.',
  },
  linkUrl: {
    kind: 'url',
    nullable: true,
    feed: 'link',
    about: 'Its web page. Default: its page here.',
  },
  shareTranscriptWithCohosts: {
    kind: 'flag',
    default: false,
    about: 'Whether co-hosts who are credited on it read its transcript.',
  },
  publishTranscript: {
    kind: 'flag',
    default: false,
    about: 'Whether its transcripts are public.',
  },
} as const satisfies FieldList;
