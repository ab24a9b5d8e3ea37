import type { EpisodeStatus, EpisodeType } from '../domain/foundation/enumerations.ts';
import { episodeFields } from '../lib/fields/episode-fields.ts';
import { type AppRuns, appCommands, type CommandSpec } from './command.ts';
import { fieldLines } from './field-lines.ts';

const oneEpisode = { id: { about: "the episode's id, as printed by `episode list`" } } as const;

const add = {
  name: 'episode add',
  about: 'Creates an episode with audio: a draft, unless it is published or scheduled.',
  notes: [
    'Notes are the show notes: apps show them with links, and feeds contain them as',
    'content:encoded. They may be HTML (.html), Markdown (.md) or plain text. The description is',
    'a separate text, short and without links (description in feeds). It is the title until',
    '`episode set ID description=…` changes it.',
    '',
    'TIME is ISO 8601 with a zone, or relative, such as +2h; a past time publishes immediately. The',
    'audio file stays in place. Add a transcript with `episode set ID transcript=FILE` and make it',
    'public with publish_transcript=true.',
  ].join('\n'),
  operands: { podcast: { about: 'its slug or id' } },
  options: {
    title: { value: 'T', about: 'of the episode', required: true },
    audio: { value: 'FILE', about: 'MP3, M4A, AAC, Ogg, Opus, FLAC or WAV', required: true },
    notes: { value: 'FILE', about: 'show notes (long text with links, see above)' },
    season: { value: 'N', about: '0 to 9999; default: the show has none' },
    episode: { value: 'N', about: 'default: one more than the highest so far' },
    type: {
      value: 'T',
      about: 'default full',
      choices: ['full', 'trailer', 'bonus'] satisfies EpisodeType[],
    },
    publish: { about: 'publish it now' },
    schedule: { value: 'TIME', about: 'publish it at that time' },
  },
} as const satisfies CommandSpec;

const list = {
  name: 'episode list',
  about: 'Lists the episodes of a podcast, newest first.',
  operands: { podcast: { about: 'its slug or id' } },
  options: {
    status: {
      value: 'STATUS',
      about: 'only these',
      choices: [
        'pending_confirmation',
        'draft',
        'scheduled',
        'published',
        'archived',
      ] satisfies EpisodeStatus[],
    },
  },
} as const satisfies CommandSpec;

const show = {
  name: 'episode show',
  about: 'Prints an episode with its audio, people and texts.',
  operands: oneEpisode,
} as const satisfies CommandSpec;

const set = {
  name: 'episode set',
  about: 'Changes fields of an episode, all of them or none.',
  notes: [
    ...fieldLines('episode', episodeFields, [
      ...['audio', 'artwork', 'transcript', 'other_transcripts', 'chapters', 'people', 'status'],
      ...['published_at', 'scheduled_for'],
    ]),
    '',
    'The feed shows season_name beside a season, and episode_display beside a number.',
    'Feed elements, such as soundbite, are JSON lists, or files with them, as in docs/fields.md:',
    `soundbite='[{"start_time": 73, "duration": 60}]'. A list replaces all that are there.`,
    'audio, artwork, transcript and chapters are files; chapters are JSON or WebVTT.',
    'transcript={"file": "t.vtt", "language": "de"} sets its language; default: the podcast\'s.',
    'other_transcripts is a JSON list of those in other languages, or a file that contains it:',
    '[{"file": "t.vtt", "language": "fr"}]; missing ones are removed.',
    'Transcripts are not public until publish_transcript=true.',
    "people are names or ids of the podcast's people, separated by commas; none: the show's roster is",
    'credited. published_at publishes, scheduled_for schedules; times are ISO 8601 with a zone, or',
    'relative, such as -36h. null, or nothing after the "=", clears an optional field.',
  ].join('\n'),
  operands: {
    ...oneEpisode,
    values: { label: 'FIELD=VALUE', about: 'such as title="A new one"', repeated: true },
  },
} as const satisfies CommandSpec;

const publish = {
  name: 'episode publish',
  about: 'Publishes an episode now; publishing it again keeps its first date.',
  operands: oneEpisode,
} as const satisfies CommandSpec;

const unpublish = {
  name: 'episode unpublish',
  about: 'Turns an episode back into a draft.',
  operands: oneEpisode,
} as const satisfies CommandSpec;

const archive = {
  name: 'episode archive',
  about: 'Archives an episode, which is then no longer public.',
  operands: oneEpisode,
} as const satisfies CommandSpec;

const remove = {
  name: 'episode delete',
  about: 'Deletes an episode with its audio, transcripts and chapters.',
  notes: [
    'On a terminal it asks first, unless --yes is given. It prints the deleted episode. To hide an',
    'episode from the public but keep it, use `episode unpublish` or `episode archive`.',
  ].join('\n'),
  operands: oneEpisode,
  options: { yes: { about: 'do not ask' } },
} as const satisfies CommandSpec;

const specs = { add, list, show, set, publish, unpublish, archive, remove };
export type EpisodeRuns = AppRuns<typeof specs>;

const change = () => import('./change-episodes.ts');

export const episodeCommands = [
  ...appCommands({ add }, change),
  // Apart from the others: these load much less.
  ...appCommands({ list }, () => import('./episode-list.ts')),
  ...appCommands({ show }, () => import('./describe-episode.ts')),
  ...appCommands({ set, publish, unpublish, archive, remove }, change),
];
