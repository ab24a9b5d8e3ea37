import { loadConfig, loadStoreConfig } from '../config/config.ts';
import {
  BackupRefusedError,
  createBackup,
  describeOtherSecret,
  findSnapshotToRestore,
  listBackups,
  pruneBackups,
  restoreBackup,
  verifyBackup,
} from '../domain/service/backups/index.ts';
import { tryParseKeepRule } from '../lib/keep-rule.ts';
import { openBackupRepository } from '../open-backup-repository.ts';
import { migrate } from '../platform/database/migrations/migrate.ts';
import {
  migrationsFolder,
  readMigrations,
} from '../platform/database/migrations/migration-files.ts';
import { UsageError } from './arguments.ts';
import type { BackupCreateRuns, BackupRuns } from './backup-commands.ts';
import { type CommandIo, printJson, printLine } from './command-io.ts';
import { CommandError } from './describe-failure.ts';
import { withProgress } from './work-progress.ts';

export const create: BackupCreateRuns['create'] = async (app, { target }, io) => {
  const place = { target, cwd: io.cwd, mayBegin: true };
  await using repository = await openBackupRepository(app.config, place);
  const created = await withProgress(io, (options) =>
    createBackup(app.ctx, repository, (tables) => app.database.openSnapshot(tables), options),
  );
  printJson(io, {
    snapshot: created.snapshot,
    created_at: created.createdAt,
    rows: created.rows,
    files: created.files,
    bytes_added: created.bytesAdded,
    bytes_total: created.bytesTotal,
  });
  if (created.rival !== undefined)
    printLine(io, `Another installation with this BASE_URL has made ${created.rival.name} there.`);
  const problems = [
    ...describeLost(
      created.missing,
      'The backup is complete but for files that the file store does not have',
    ),
    ...describeLost(
      created.recalled,
      'The file store does not have files that the backup has from earlier ones',
    ),
  ];
  if (problems.length > 0)
    throw new CommandError([...problems, 'Check DATA_DIR or S3_BUCKET.'].join(' '));
};

function describeLost([first, ...others]: readonly string[], what: string): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [`${what}: ${first}${more}.`];
}

export const list: BackupRuns['list'] = async ({ target }, io) => {
  await using repository = await openExisting(target, io);
  const listed = await listBackups(repository, (message) => printLine(io, message));
  printJson(
    io,
    listed.map(({ snapshot, createdAt, version, rows, files, bytes }) => ({
      snapshot,
      created_at: createdAt,
      version,
      rows,
      files,
      bytes,
    })),
  );
};

export const verify: BackupRuns['verify'] = async ({ target, snapshot }, io) => {
  await using repository = await openExisting(target, io);
  const verified = await withProgress(io, (options) => verifyBackup(repository, snapshot, options));
  printJson(io, verified);
  const { length } = verified.damaged;
  if (length > 0)
    throw new CommandError(`${length === 1 ? 'One part is' : `${length} parts are`} damaged.`);
};

export const restore: BackupRuns['restore'] = async ({ target, snapshot }, io, open) => {
  await using repository = await openExisting(target, io);
  const name = snapshot ?? (await findSnapshotToRestore(repository));
  const manifest = await repository.readManifest(name);
  const { migrations, base_url: baseUrl } = manifest;
  const known = await readMigrations(migrationsFolder);
  const isOurs = migrations.every(
    ({ name, sha256 }, at) => known[at]?.name === name && known[at].sha256 === sha256,
  );
  if (!isOurs)
    throw new BackupRefusedError(
      `The backup ${name} was made by another version of Podstead, with ${migrations.at(-1)?.name}. Install that version, or a newer one, to restore it.`,
    );
  // Only so far, because the rows fit these tables. The others follow when they are there.
  await using installation = await open(loadConfig(), { migrations: migrations.length });
  const { app } = installation;
  if (await app.database.isServed())
    throw new BackupRefusedError(
      'A server or a worker is running on this database. Stop all of them, then restore.',
    );
  if (baseUrl !== app.config.baseUrl)
    printLine(io, `The backup is of ${baseUrl}. Here BASE_URL is ${app.config.baseUrl}.`);
  const otherSecret = describeOtherSecret(manifest, app.ctx.installation);
  if (otherSecret !== undefined) printLine(io, otherSecret);
  const restored = await withProgress(io, (options) =>
    restoreBackup(app.ctx, repository, name, {
      ...options,
      openSession: () => app.database.openLongSession(),
    }),
  );
  await migrate(app.database, migrationsFolder);
  printJson(io, restored);
  const { length } = restored.differences;
  if (length > 0)
    throw new CommandError(
      `The installation differs from the backup in ${length} ${length === 1 ? 'place' : 'places'}: see "differences".`,
    );
};

export const prune: BackupRuns['prune'] = async ({ target, keep }, io) => {
  const rule = tryParseKeepRule(keep);
  if (rule === undefined)
    throw new UsageError('--keep lists days, weeks and months, such as 7d,4w,12m.');
  await using repository = await openExisting(target, io);
  const { kept, removed, bytesFreed } = await withProgress(io, (options) =>
    pruneBackups(repository, rule, options),
  );
  printJson(io, { kept, removed, bytes_freed: bytesFreed });
};

function openExisting(target: string, { cwd }: CommandIo) {
  return openBackupRepository(loadStoreConfig(), { target, cwd, mayBegin: false });
}
