import {
  type AppRuns,
  appCommands,
  type CommandSpec,
  type ProcessRuns,
  processCommands,
} from './command.ts';

const target = {
  target: { about: 'a folder, or s3://BUCKET/PREFIX with the access of the S3_ settings' },
} as const;
const snapshot = {
  ...target,
  snapshot: {
    about: 'its name, as `backup list` prints it; default: the newest',
    optional: true,
  },
} as const;

const create = {
  name: 'backup create',
  about: 'Backs up the whole installation, also while it runs.',
  notes: [
    'All rows are as they were at one moment. Content that the place already has is not written again,',
    'so the next backup there takes only what is new. Sessions, the secrets of listeners and SECRET are',
    'in no backup: keep SECRET elsewhere. Everything else is, so protect the place. docs/backups.md',
    'describes the format.',
    '',
    '"bytes_added" is what this backup has added there; "bytes_total", all that it consists of.',
  ].join('\n'),
  operands: target,
  needs: 'existing',
} as const satisfies CommandSpec;

const list = {
  name: 'backup list',
  about: 'Lists the complete backups of a place, newest first.',
  operands: target,
  needs: 'nothing',
} as const satisfies CommandSpec;

const verify = {
  name: 'backup verify',
  about: 'Reads a whole backup and checks every hash.',
  notes: 'Needs no database. Exits with 1 if anything is damaged or missing, and names it.',
  operands: snapshot,
  needs: 'nothing',
} as const satisfies CommandSpec;

const restore = {
  name: 'backup restore',
  about: 'Restores a backup into an empty installation.',
  notes: [
    'Into the database of DATABASE_URL or DATA_DIR, and the files of S3_BUCKET or DATA_DIR; either kind',
    'takes backups of the other. Stop the servers first. After an interruption, call it again: it goes on,',
    'and no server starts before it has ended. Finally everything is compared with the backup; if anything',
    'differs, it is listed under "differences" and the exit code is 1.',
    '',
    'With the same SECRET, users only have to sign in again. With another one, cursors, preview links and',
    'copied links of invitations end, too, and access logs that were read before are counted once more; if',
    'the backup has any of these, the command says so.',
  ].join('\n'),
  operands: snapshot,
  needs: 'nothing',
} as const satisfies CommandSpec;

const prune = {
  name: 'backup prune',
  about: 'Removes old backups, and content that no backup needs.',
  notes: [
    'Keeps the newest backup of each of so many days, ISO weeks and months that have one, and always the',
    'newest of all.',
  ].join('\n'),
  operands: target,
  options: { keep: { value: '7d,4w,12m', about: 'how many of each', required: true } },
  needs: 'nothing',
} as const satisfies CommandSpec;

const creating = { create };
export type BackupCreateRuns = AppRuns<typeof creating>;
const standalone = { list, verify, restore, prune };
export type BackupRuns = ProcessRuns<typeof standalone>;

export const backupCommands = [
  ...appCommands(creating, () => import('./run-backup-commands.ts')),
  ...processCommands(standalone, () => import('./run-backup-commands.ts')),
];
