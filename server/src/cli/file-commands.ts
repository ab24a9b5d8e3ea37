import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const sweep = {
  name: 'files sweep',
  about: 'Removes stored files that nothing references.',
  notes: [
    'Leftovers of killed processes are removed after a day. Background work does the same once a day,',
    'unless it would remove most files. Run it with --dry-run first: the wrong database references',
    'none of the files.',
  ].join('\n'),
  options: {
    dryRun: { about: 'count files without removing any' },
  },
} as const satisfies CommandSpec;

const specs = { sweep };
export type FileRuns = AppRuns<typeof specs>;

export const fileCommands = appCommands(specs, () => import('./run-file-commands.ts'));
