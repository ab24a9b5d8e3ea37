import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const importFile = {
  name: 'platforms import',
  about: 'Imports figures that Apple Podcasts or Spotify exported as CSV.',
  notes: [
    'FILE is an unchanged CSV export of Apple Podcasts Connect (Analytics) or Spotify for Creators.',
    'It replaces the last import from its source. Episodes are matched by GUID, title or date; the',
    'titles of the others are printed as "unmatched". docs/platforms.md lists the files that can be',
    'imported.',
  ].join('\n'),
  operands: {
    podcast: { about: 'its id, or a current or former slug' },
    file: { about: 'the CSV file' },
  },
  options: {
    source: {
      value: 'SOURCE',
      about: 'where the file is from',
      choices: ['apple', 'spotify'],
      required: true,
    },
  },
} as const satisfies CommandSpec;

const specs = { importFile };
export type PlatformRuns = AppRuns<typeof specs>;

export const platformCommands = appCommands(specs, () => import('./run-platform-commands.ts'));
