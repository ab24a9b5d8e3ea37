import type { FieldList } from '../lib/fields/field.ts';
import { podcastFields } from '../lib/fields/podcast-fields.ts';
import { type AppRuns, appCommands, type CommandSpec } from './command.ts';
import { fieldLines } from './field-lines.ts';

const onePodcast = {
  podcast: { about: 'its id, or a current or former slug' },
} as const;

/** Notes on the fields that a command takes as values. */
const fieldNotes = (fields: FieldList) => [
  ...fieldLines('show', fields, ['artwork', 'header_image', 'people', 'status']),
  '',
  "category and subcategory are Apple's, such as Science and Astronomy.",
  'other_categories and other_funding are JSON lists, or files with them, of all but',
  'the first: [{"category": "Music", "subcategory": "Music History"}] and [{"url": "https://…",',
  '"text": "Give"}]. medium is a value of podcast:medium, such as music or',
  'audiobook, or musicL for a list. enclosure_prefixes is a JSON list of URLs.',
  'Feed elements, such as location, are JSON lists, or files with them, as in docs/fields.md:',
  `location='[{"text": "Oslo", "geo": "geo:59.91,10.75"}]'. A list replaces all that are there.`,
  'complete: there will be no more episodes. itunes_block: Apple should not list the show.',
  'artwork and header_image are files. page_sections is a JSON list. people is a JSON list of',
  'people as in a seed file, or a file with it. People are matched by name; missing ones are',
  'removed from the roster. status is draft, active, paused, overage_suspended or moved, which',
  'needs new_feed_url. null, or nothing after the "=", clears an optional field.',
];

const { slug: _, title: __, ...withoutOptions } = podcastFields;

const create = {
  name: 'podcast create',
  about: 'Creates a podcast, which is public unless status=draft is given.',
  notes: fieldNotes(withoutOptions).join('\n'),
  operands: {
    values: {
      label: 'FIELD=VALUE',
      about: 'such as language=de',
      repeated: true,
      optional: true,
    },
  },
  options: {
    owner: { value: 'EMAIL', about: 'the user who owns it', required: true },
    title: { value: 'T', about: 'of the podcast', required: true },
    slug: { value: 'SLUG', about: 'its name in URLs; default: made from the title' },
  },
} as const satisfies CommandSpec;

const list = {
  name: 'podcast list',
  about: 'Lists all podcasts, oldest first.',
  options: { owner: { value: 'EMAIL', about: 'only those of this user' } },
} as const satisfies CommandSpec;

const show = {
  name: 'podcast show',
  about: 'Prints a podcast with its people and members.',
  operands: onePodcast,
} as const satisfies CommandSpec;

const set = {
  name: 'podcast set',
  about: 'Changes fields of a podcast, all of them or none.',
  notes: [
    ...fieldNotes(podcastFields),
    '',
    'URLs with the old slug redirect to the new one. status=moved redirects the feed permanently.',
  ].join('\n'),
  operands: {
    ...onePodcast,
    values: { label: 'FIELD=VALUE', about: 'such as title="A new one"', repeated: true },
  },
} as const satisfies CommandSpec;

const domain = {
  name: 'podcast domain',
  about: "Shows, sets, removes or checks a show's own domain.",
  notes: [
    'HOST is a name such as podcast.example.com. It is verified once a TXT record at _podstead.HOST',
    'contains the printed token and all addresses of HOST are those of DOMAIN_TARGET. The records are',
    'checked now and every hour. Until then, the show stays where it is.',
  ].join('\n'),
  operands: { ...onePodcast, host: { label: 'HOST', about: 'the domain to set', optional: true } },
  options: {
    remove: { about: 'the show has no domain any more, and its URLs are those of the service' },
    check: { about: 'check the records now' },
  },
} as const satisfies CommandSpec;

const remove = {
  name: 'podcast delete',
  about: 'Deletes a podcast with all its episodes, people and files.',
  notes: [
    'On a terminal it asks first, unless --yes is given; elsewhere --yes is required.',
    'Its feed, pages and audio are deleted. To take your listeners to another host, set',
    'status=moved and new_feed_url instead. Its slugs can never be used again.',
  ].join('\n'),
  operands: onePodcast,
  options: { yes: { about: 'do not ask' } },
} as const satisfies CommandSpec;

const suspend = {
  name: 'podcast suspend',
  about: 'Suspends a show: the public cannot see it, but its feed stays.',
  operands: { slug: { about: 'the podcast' } },
} as const satisfies CommandSpec;

const resume = {
  name: 'podcast resume',
  about: 'Ends a suspension or a pause and restores the previous status.',
  operands: { slug: { about: 'the podcast' } },
} as const satisfies CommandSpec;

const specs = { create, list, show, set, domain, remove, suspend, resume };
export type PodcastRuns = AppRuns<typeof specs>;

const change = () => import('./change-podcasts.ts');

export const podcastCommands = [
  ...appCommands({ create }, change),
  // Apart from the others: these load much less.
  ...appCommands({ list }, () => import('./podcast-list.ts')),
  ...appCommands({ show }, () => import('./describe-podcast.ts')),
  ...appCommands({ domain }, () => import('./podcast-domain.ts')),
  ...appCommands({ set, remove, suspend, resume }, change),
];
