import { forEachConcurrently } from '../../../lib/for-each-concurrently.ts';
import { measure } from '../../../lib/measured-stream.ts';
import { tryReadRowLine } from '../../../lib/read-row-line.ts';
import { RowDigest } from '../../../lib/row-digest.ts';
import { BlobNotFoundError } from '../../../platform/blob-store/blob-store.ts';
import type { LongSession } from '../../../platform/database/snapshot.ts';
import { isSqlError } from '../../../platform/database/sql-errors.ts';
import { copyRows, type RowLine, selectColumns } from '../../../platform/database/table-rows.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { ensureDayPartitions } from '../../audience/downloads/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { Db, Tables } from '../../foundation/database.ts';
import { queueTextCounts } from '../../foundation/storage/index.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { queueAllEpisodes } from '../../public/search/index.ts';
import { BackupRefusedError, DamagedBackupError } from './backup-errors.ts';
import {
  analyze,
  deleteRows,
  hasRows,
  insertRestore,
  readRows,
  selectMigrations,
  selectRestore,
  selectTableNames,
  sumAllDownloads,
  updateRestore,
  withoutConstraints,
} from './backups.sql.ts';
import { backedUpFiles, filesAtOnce, playerFiles } from './create-backup.ts';
import { ListedFiles, type StoredFile } from './file-lines.ts';
import type { BackedUpTable, Manifest } from './manifest.ts';
import type { BackupRepository } from './repository.ts';
import { readParts } from './rows.ts';
import { backedUpTables } from './tables.ts';
import { tryReadFile } from './verify-backup.ts';

export interface RestoredBackup {
  readonly snapshot: string;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  /** Of all shows, of all time. */
  readonly downloads: number;
  /** What is not as in the backup, in words. */
  readonly differences: readonly string[];
}

interface RestoreOptions extends WorkOptions {
  readonly openSession: () => Promise<LongSession<Tables>>;
}

/**
 * Restores a backup into an empty installation, whose database has the migrations of the backup: first the
 * files, then all rows in one transaction, and compares everything with the backup in the end. After an
 * interruption it goes on when it is called again. Throws BackupRefusedError, without changing anything,
 * and DamagedBackupError. Checks no permission.
 */
export async function restoreBackup(
  ctx: Context,
  repository: BackupRepository,
  snapshot: string,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  await using _work = await repository.beginToRead();
  const manifest = await repository.readManifest(snapshot);
  await refuseOtherTables(ctx.db, manifest);
  await begin(ctx, snapshot, manifest);
  const damaged = await restoreFiles(ctx, repository, manifest, options);
  await using session = await options.openSession();
  await loadRows(ctx, session.query, repository, manifest, options);
  const differences = [
    ...(await inTransaction(session.query, (db) => compareRows(db, manifest, options))),
    ...(await compareFiles(ctx, repository, manifest, damaged, options)),
  ];
  const rows = manifest.tables.map(({ name, rows }) => [name, rows] as const);
  const downloads = await sumAllDownloads(session.query);
  const finished = { finished_at: ctx.clock.now(), differences: differences.length };
  await updateRestore(session.query, finished);
  return {
    snapshot,
    rows: Object.fromEntries(rows),
    files: manifest.files.count,
    downloads,
    differences,
  };
}

async function refuseOtherTables(db: Db, manifest: Manifest): Promise<void> {
  const migrations = await selectMigrations(db);
  const spell = (list: Manifest['migrations']) =>
    list.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n');
  if (spell(migrations) !== spell(manifest.migrations))
    throw new BackupRefusedError(
      'The backup was made by another version of Podstead, and this database has tables already. Restore it into a new, empty database.',
    );
  const existing = (await selectTableNames(db)).filter((name) =>
    Object.hasOwn(backedUpTables, name),
  );
  const named = manifest.tables.map(({ name }) => name);
  if (named.toSorted().join() !== existing.toSorted().join())
    throw new DamagedBackupError('the manifest does not name the tables of its version');
  for (const { name, columns } of manifest.tables) {
    if ((await selectColumns(db, name)).join() !== columns.join())
      throw new DamagedBackupError(`the manifest does not name the columns of ${name}`);
  }
}

async function begin(ctx: Context, snapshot: string, { tables }: Manifest): Promise<void> {
  if ((await selectRestore(ctx.db)) === undefined) {
    await refuseRows(ctx.db, tables);
    await refuseFiles(ctx);
    await insertRestore(ctx.db, snapshot, ctx.clock.now());
  }
  const restore = await selectRestore(ctx.db);
  if (restore === undefined) return;
  if (restore.finishedAt !== null && restore.differences === 0)
    throw new BackupRefusedError(
      `${restore.snapshot} was restored here already. Restore into an empty installation.`,
    );
  if (restore.snapshot !== snapshot)
    throw new BackupRefusedError(
      `The restore of ${restore.snapshot} has begun here. Continue that one, or use an empty installation.`,
    );
}

async function refuseFiles({ blobs }: Context): Promise<void> {
  for (const { folder, keyForm, findNamed } of backedUpFiles) {
    // A server that has started here has stored its player.
    if (findNamed === playerFiles.findNamed) continue;
    for await (const batch of blobs.list(folder)) {
      if (!batch.some(({ key }) => keyForm.test(key))) continue;
      throw new BackupRefusedError(
        'The file store of this installation (DATA_DIR/blobs or S3_BUCKET) is not empty, so nothing was restored. Restore into an empty one.',
      );
    }
  }
}

async function refuseRows(db: Db, tables: readonly BackedUpTable[]): Promise<void> {
  for (const { name } of tables) {
    if (backedUpTables[name]?.isSeeded || !(await hasRows(db, name))) continue;
    throw new BackupRefusedError(
      'This installation is not empty, so nothing was restored. Restore into an empty one.',
    );
  }
}

async function loadRows(
  ctx: Context,
  session: Db,
  repository: BackupRepository,
  manifest: Manifest,
  { signal, onProgress }: WorkOptions,
): Promise<void> {
  const { tables } = manifest;
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  const onRows = (count: number) => {
    signal?.throwIfAborted();
    done += count;
    onProgress?.({ stage: 'rows', done, total });
  };
  const names = tables.map(({ name }) => name);
  const load = async (db: Db) => {
    // A process of another version may have migrated the database while files were restored.
    await refuseOtherTables(db, manifest);
    await withoutConstraints(db, names, async () => {
      // Only now nobody else writes. Another process may have done the same, or made an account.
      if ((await selectRestore(db))?.loadedAt != null) return;
      await refuseRows(db, tables);
      for (const table of tables) await loadTable(db, repository, table, onRows);
      await queueAllEpisodes(db);
      await queueTextCounts(db);
      await updateRestore(db, { loaded_at: ctx.clock.now() });
    });
  };
  await inTransaction(session, load).catch(refuseWrongRows);
  await analyze(session);
}

/** Wrong values, or rows that break a rule of the tables, are damage: no installation has had them. */
function refuseWrongRows(error: unknown): never {
  if (!isSqlError(error) || !/^2[23]/.test(String(error.code))) throw error;
  const { message } = error as { message?: unknown };
  throw new DamagedBackupError(`the database refuses the rows: ${message}`, { cause: error });
}

async function loadTable(
  db: Db,
  repository: BackupRepository,
  { name, columns, parts }: BackedUpTable,
  onRows: (count: number) => void,
): Promise<void> {
  await deleteRows(db, name);
  for await (const lines of readParts(parts, (sha256) => repository.read(sha256))) {
    const rows = lines.map((line) => readRow(name, columns, line));
    // It makes the partitions of the other table with days, too.
    if (name === 'download_requests') await ensureDayPartitions(db, daysOf(columns, rows));
    await copyRows(db, name, columns, rows);
    onRows(rows.length);
  }
}

type Row = readonly (string | null)[];

function readRow(table: string, columns: readonly string[], line: RowLine): Row {
  const row = tryReadRowLine(line, columns.length);
  if (row === undefined) throw new DamagedBackupError(`${table} has a row that cannot be read`);
  return row;
}

function daysOf(columns: readonly string[], rows: readonly Row[]): string[] {
  const at = columns.indexOf('day');
  return [...new Set(rows.flatMap((row) => row[at] ?? []))];
}

async function compareRows(
  db: Db,
  { tables }: Manifest,
  { signal, onProgress }: WorkOptions,
): Promise<string[]> {
  const differences: string[] = [];
  let done = 0;
  for (const { name, columns, rows, digest } of tables) {
    const found = new RowDigest();
    let count = 0;
    for await (const lines of readRows(db, name, columns, backedUpTables[name] ?? {})) {
      signal?.throwIfAborted();
      for (const line of lines) found.add(line);
      count += lines.length;
      done += lines.length;
      onProgress?.({ stage: 'comparison', done, total: undefined });
    }
    if (count !== rows) differences.push(`${name}: ${rows} rows in the backup, ${count} here`);
    else if (found.toString() !== digest) differences.push(`${name}: some rows differ`);
  }
  return differences;
}

/** Calls `work` with the files of the backup, a few at a time. Keys that could not be ours are damage. */
async function forFiles(
  repository: BackupRepository,
  { files }: Manifest,
  { signal }: WorkOptions,
  work: (file: StoredFile) => Promise<void>,
): Promise<void> {
  for await (const lines of readParts(files.parts, (sha256) => repository.read(sha256))) {
    await forEachConcurrently(lines, filesAtOnce, async (line) => {
      signal?.throwIfAborted();
      const file = tryReadFile(line);
      if (file === undefined)
        throw new DamagedBackupError('the backup has a file that no installation has');
      await work(file);
    });
  }
}

/** Returns the keys of files that could not be restored, because their content in the backup is damaged. */
async function restoreFiles(
  { blobs }: Context,
  repository: BackupRepository,
  manifest: Manifest,
  options: WorkOptions,
): Promise<ReadonlySet<string>> {
  const damaged = new Set<string>();
  const listed = new ListedFiles();
  let done = 0;
  await forFiles(repository, manifest, options, async (file) => {
    if (!listed.add(file)) throw new DamagedBackupError(`the backup has two files ${file.key}`);
    // Files appear whole, so one that is there was restored before.
    const isThere = (await blobs.stat(file.key))?.sizeBytes === file.bytes;
    if (!isThere && !(await tryRestoreFile(blobs, repository, file))) damaged.add(file.key);
    done += 1;
    options.onProgress?.({ stage: 'files', done, total: manifest.files.count });
  });
  return damaged;
}

/** False: its content in the backup is damaged, and nothing was stored. */
async function tryRestoreFile(
  blobs: Context['blobs'],
  repository: BackupRepository,
  { key, sha256, bytes }: StoredFile,
): Promise<boolean> {
  try {
    await blobs.put(key, await repository.readWhole(sha256, bytes), typeOf(key));
    return true;
  } catch (error) {
    if (!(error instanceof DamagedBackupError)) throw error;
    return false;
  }
}

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  mp3: 'audio/mpeg',
  xml: 'application/xml',
  js: 'text/javascript',
  json: 'application/json',
};

/** Stores keep it; the service itself takes it from the row. */
const typeOf = (key: string) =>
  types[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

async function compareFiles(
  { blobs }: Context,
  repository: BackupRepository,
  manifest: Manifest,
  damaged: ReadonlySet<string>,
  options: WorkOptions,
): Promise<string[]> {
  const differences: string[] = [];
  let done = 0;
  await forFiles(repository, manifest, options, async (file) => {
    const { key, sha256, bytes } = file;
    const isEqual = async () => {
      const found = await blobs.read(key).then(measure, (error: unknown) => {
        if (!(error instanceof BlobNotFoundError)) throw error;
      });
      return found?.sha256 === sha256 && found.bytes === bytes;
    };
    done += 1;
    options.onProgress?.({ stage: 'comparison', done, total: manifest.files.count });
    if (!damaged.has(key) && (await isEqual())) return;
    if (damaged.has(key) || !(await tryRestoreFile(blobs, repository, file)))
      differences.push(`${key}: damaged in the backup`);
    else if (!(await isEqual())) differences.push(`${key}: another content`);
  });
  if (done !== manifest.files.count)
    differences.push(`files: ${manifest.files.count} in the backup, ${done} in its list`);
  return differences.sort();
}
