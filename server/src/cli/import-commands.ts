import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const seed = {
  name: 'seed',
  about: 'Loads a seed file: users, podcasts, people, episodes, keys, sites, downloads.',
  notes: [
    'All or nothing: a refused file leaves nothing behind. Paths in the file are relative to it.',
    "Prints what was created, by the file's refs. The keys' secrets are shown only this once.",
  ].join('\n'),
  operands: { file: { about: 'JSON' } },
  needs: 'database',
} as const satisfies CommandSpec;

const start = {
  name: 'import',
  about: 'Imports a podcast feed, or updates an imported show.',
  notes: [
    'Running it again updates and adds, without duplicates; an interrupted import continues',
    'where it stopped. Prints a report, including problems with single episodes. If a server is',
    'running, it continues after this command ends (Ctrl-C). Pass a file named list as ./list.',
  ].join('\n'),
  operands: { fileOrUrl: { about: 'an RSS feed' } },
  options: {
    owner: { value: 'EMAIL', about: 'the user who will own the show', required: true },
    slug: { value: 'SLUG', about: "of a new show; default: from the feed's title" },
    into: {
      value: 'SLUG',
      about: 'an existing show to import into',
    },
    dryRun: { about: 'report what would happen without importing' },
    noAudio: { about: 'keep the audio at its current host and redirect there' },
    overwrite: { about: "replace values that were changed here with the feed's" },
    ignoreLock: { about: 'import a feed that its owner has locked; the report mentions it' },
  },
} as const satisfies CommandSpec;

const list = {
  name: 'import list',
  about: 'Lists the newest imports, at most 100.',
} as const satisfies CommandSpec;

const show = {
  name: 'import show',
  about: 'Prints the state of an import, and its report once it has ended.',
  operands: { id: { about: 'see `import list`' } },
} as const satisfies CommandSpec;

const cancel = {
  name: 'import cancel',
  about: 'Cancels a running import. Everything imported so far stays.',
  operands: { id: { about: 'see `import list`' } },
} as const satisfies CommandSpec;

const resume = {
  name: 'import resume',
  about: 'Continues a paused import, or restarts one that failed or was cancelled.',
  notes: 'Prints the report, like `import`.',
  operands: { id: { about: 'see `import list`' } },
} as const satisfies CommandSpec;

const sendCode = {
  name: 'import code',
  about: 'Sends a code to the owner of a locked feed, so that a user can prove ownership.',
  notes:
    'It goes to the email address in podcast:locked, else in itunes:owner, and is valid for 30 minutes.',
  operands: { url: { about: "the feed's URL" } },
  options: {
    owner: { value: 'EMAIL', about: 'the user who wants to import it', required: true },
  },
} as const satisfies CommandSpec;

const confirmCode = {
  name: 'import confirm',
  about: 'Confirms the code of `import code`, so that the user can import the feed.',
  operands: {
    id: { about: 'as printed by `import code`' },
    code: { about: 'the code from the email, with or without its space', repeated: true },
  },
} as const satisfies CommandSpec;

const specs = { seed, start, list, show, cancel, resume, sendCode, confirmCode };
export type ImportRuns = AppRuns<typeof specs>;

export const importCommands = appCommands(specs, () => import('./run-import-commands.ts'));
