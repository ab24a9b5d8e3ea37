import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const exportShow = {
  name: 'export',
  about: 'Writes everything of a show into a folder.',
  notes: [
    'Its feed, rows, audio, pictures, transcripts, chapters, people and download counts, as they were at one',
    'moment. `restore` makes the show again from it, here or elsewhere. docs/moving.md describes the files.',
    'The folder must be new or empty.',
  ].join('\n'),
  operands: { podcast: { about: 'its slug or id' } },
  options: { to: { value: 'DIR', about: 'the folder', required: true } },
  needs: 'existing',
} as const satisfies CommandSpec;

const restoreShow = {
  name: 'restore',
  about: 'Makes a show from its export, for another owner.',
  notes: [
    'All or nothing: an export that is damaged leaves nothing behind. Ids stay unless they exist here. Not',
    'moved are keys, sites, and all members but the owner. In the end everything is compared with the export;',
    'if anything differs, it is listed under "differences" and the exit code is 1.',
    '',
    'For a backup of the whole installation, see `backup restore`.',
  ].join('\n'),
  operands: { folder: { about: 'that `export` has filled' } },
  options: {
    owner: { value: 'EMAIL', about: 'the user who will own the show', required: true },
    slug: { value: 'SLUG', about: 'default: that of the export' },
  },
} as const satisfies CommandSpec;

const specs = { exportShow, restoreShow };
export type ExportRuns = AppRuns<typeof specs>;

export const exportCommands = appCommands(specs, () => import('./run-export-commands.ts'));
