import { setImmediate } from 'node:timers/promises';
import rootPackage from '../../../../../package.json' with { type: 'json' };
import { chunksOf } from '../../../lib/chunks-of.ts';
import { measure } from '../../../lib/measured-stream.ts';
import type { DatabaseSnapshot } from '../../../platform/database/snapshot.ts';
import { selectColumns } from '../../../platform/database/table-rows.ts';
import { documentFiles } from '../../exchange/imports/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { Db, Tables } from '../../foundation/database.ts';
import type { FileFamily } from '../../foundation/file-family.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { audioFiles } from '../../publishing/audio/index.ts';
import { imageFiles } from '../../publishing/images/index.ts';
import { BackupRefusedError, orUnreadable } from './backup-errors.ts';
import {
  noteLastBackup,
  readNamedKeys,
  readRows,
  selectMigrations,
  selectOrigin,
  selectTableNames,
} from './backups.sql.ts';
import { type StoredFile, tryReadFileLine, writeFileLine } from './file-lines.ts';
import { type BackedUpTable, formatVersion, type Manifest, writeManifest } from './manifest.ts';
import { findRival, type Rival } from './origins.ts';
import { secretCheckOf } from './other-secret.ts';
import type { BackupRepository } from './repository.ts';
import { PartWriter, readParts } from './rows.ts';
import { backedUpTables, type TableRule, tablesLeftOut } from './tables.ts';

const { version: release } = rootPackage;

/** Earlier versions of the player, which pages of other sites load by their hash. */
export const playerFiles: FileFamily = {
  folder: 'player',
  keyForm: /^player\/v1[.][a-z0-9.]{1,100}$/,
  findNamed: async (_ctx, keys) => new Set(keys),
};

/** The files of a backup. Uploads that have not ended begin again. */
export const backedUpFiles: readonly FileFamily[] = [
  audioFiles,
  imageFiles,
  documentFiles,
  playerFiles,
];

const filesInTurn = 400;
/** In an object store, most of the time for a small file is waiting. */
export const filesAtOnce = 4;

export interface CreatedBackup {
  readonly snapshot: string;
  /** When all rows were as they are in the backup. */
  readonly createdAt: string;
  readonly rows: number;
  readonly files: number;
  /** Bytes of content that the repository did not have. */
  readonly bytesAdded: number;
  /** Bytes of everything that the backup consists of. */
  readonly bytesTotal: number;
  /** Files that rows name, but that the file store does not have, in no backup either. */
  readonly missing: readonly string[];
  /** Files that rows name and the file store does not have; this backup has them from earlier ones. */
  readonly recalled: readonly string[];
  /** Of another installation, which uses the same place. */
  readonly rival: Rival | undefined;
}

const pausedTooLong =
  'This process was stopped for so long that another one may have pruned what it had written. Make the backup again.';

const lockedTables = Object.keys(backedUpTables).filter(
  (name) => backedUpTables[name]?.isPartitioned !== true,
);

interface CreateOptions extends WorkOptions {
  /** Beside no other backup. */
  readonly alone?: boolean;
  /** For a daily backup: where it is made. */
  readonly dailyPlace?: string;
}

interface CheckedOptions extends WorkOptions {
  /** Throws if the backup would be worthless. */
  readonly check: () => void;
}

/** No migration changes these tables while the snapshot is read. */
type OpenSnapshot = (tables: readonly string[]) => Promise<DatabaseSnapshot<Tables>>;

/**
 * Backs up the whole installation while it runs: all rows as they were at one moment, then the files that
 * they name. Files stay for a day after their last row, so none can go meanwhile. Content that the
 * repository has already is not written again. An interrupted backup leaves no manifest, so it does not
 * exist. Checks no permission.
 */
export async function createBackup(
  ctx: Context,
  repository: BackupRepository,
  openSnapshot: OpenSnapshot,
  options: CreateOptions = {},
): Promise<CreatedBackup> {
  await using work = await repository.begin('create', options);
  const rival = await findRival(ctx, repository);
  const known = await readKnownFiles(repository);
  const writer = await ContentWriter.open(repository);
  const check = () => {
    options.signal?.throwIfAborted();
    if (!work.wasSeen) throw new BackupRefusedError(pausedTooLong);
  };
  const { rows, keys, lost } = await backUpRows(ctx, writer, openSnapshot, { ...options, check });
  const { recalled, missing } = await recallFiles(repository, writer, lost, known, options);
  const all = [...keys, ...recalled];
  const files = await backUpFiles(ctx, writer, all, known, { ...options, check });
  const manifest: Manifest = {
    format: 'podstead-backup',
    format_version: formatVersion,
    release,
    created_at: rows.at,
    base_url: ctx.installation.baseUrl,
    database_since: rows.origin.since,
    ...(rows.origin.restoredFrom === null ? {} : { restored_from: rows.origin.restoredFrom }),
    secret_check: secretCheckOf(ctx.installation),
    migrations: rows.migrations,
    tables: rows.tables,
    files,
  };
  check();
  const { name, bytes } = await repository.writeManifest(manifest);
  if (!work.wasSeen) {
    // A slow place may have kept it waiting, while others pruned what it names.
    await repository.removeManifest(name);
    throw new BackupRefusedError(pausedTooLong);
  }
  await noteLastBackup(ctx.db, name, rows.at, options.dailyPlace ?? null);
  return {
    snapshot: name,
    createdAt: rows.at,
    rows: countRows(manifest),
    files: files.count,
    bytesAdded: writer.addedBytes + bytes,
    bytesTotal: bytesOfBackup(manifest),
    missing,
    recalled,
    rival,
  };
}

export function countRows({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Of the manifest and the content that it names. Content that it names twice counts twice. */
export function bytesOfBackup(manifest: Manifest): number {
  const { tables, files } = manifest;
  const parts = [...tables, files].flatMap((list) => list.parts);
  const content = parts.reduce((total, { bytes }) => total + bytes, files.bytes);
  return content + writeManifest(manifest).length;
}

/** Stores content once, and adds up what is new. */
class ContentWriter {
  addedBytes = 0;
  readonly repository: BackupRepository;
  /** Bytes by hash of all that is there. What has another length is written again. */
  readonly #there: Map<string, number>;
  readonly #lengths: ReadonlySet<number>;

  private constructor(repository: BackupRepository, there: Map<string, number>) {
    this.repository = repository;
    this.#there = there;
    this.#lengths = new Set(there.values());
  }

  static async open(repository: BackupRepository): Promise<ContentWriter> {
    const there = new Map<string, number>();
    for await (const batch of repository.listContent())
      for (const { sha256, bytes } of batch) there.set(sha256, bytes);
    return new ContentWriter(repository, there);
  }

  has({ sha256, bytes }: { readonly sha256: string; readonly bytes: number }): boolean {
    return this.#there.get(sha256) === bytes;
  }

  readonly storePart = async (sha256: string, zipped: Buffer): Promise<void> => {
    if (this.has({ sha256, bytes: zipped.length })) return;
    await this.repository.put(sha256, zipped);
    this.#there.set(sha256, zipped.length);
    this.addedBytes += zipped.length;
  };

  async storeFile(ctx: Context, key: string, signal?: AbortSignal): Promise<StoredFile> {
    const sizeBytes = (await ctx.blobs.stat(key))?.sizeBytes;
    const open = () => ctx.blobs.read(key);
    // Such as what an interrupted backup has written. To read is cheaper than to write.
    if (sizeBytes !== undefined && this.#lengths.has(sizeBytes)) {
      const found = await measure(await open(), signal);
      if (this.has(found)) return { key, ...found };
    }
    const isThere = (found: { sha256: string; bytes: number }) => this.has(found);
    const stored = await this.repository.putStream(open, sizeBytes, isThere, signal);
    const { sha256, bytes, added } = stored;
    this.#there.set(sha256, bytes);
    if (added) this.addedBytes += bytes;
    return { key, sha256, bytes };
  }
}

interface BackedUpRows {
  /** ISO 8601. */
  readonly at: string;
  readonly origin: Awaited<ReturnType<typeof selectOrigin>>;
  readonly migrations: Manifest['migrations'];
  readonly tables: BackedUpTable[];
}

/** Reads what has to be from one moment: all rows, and the keys of the files that they name. */
async function backUpRows(
  ctx: Context,
  writer: ContentWriter,
  openSnapshot: OpenSnapshot,
  options: CheckedOptions,
): Promise<{ rows: BackedUpRows; keys: readonly string[]; lost: readonly string[] }> {
  await using snapshot = await openSnapshot(lockedTables);
  const db = snapshot.query;
  await refuseNewerTables(snapshot);
  const tables: BackedUpTable[] = [];
  let done = 0;
  const onRows = (count: number) => {
    done += count;
    options.check();
    options.onProgress?.({ stage: 'rows', done, total: undefined });
  };
  for (const [name, rule] of Object.entries(backedUpTables))
    tables.push(await backUpTable(db, name, rule, writer, onRows));
  const keys: string[] = [];
  for (const family of backedUpFiles) {
    for await (const batch of ctx.blobs.list(family.folder)) {
      options.check();
      const ours = batch.map(({ key }) => key).filter((key) => family.keyForm.test(key));
      if (ours.length === 0) continue;
      keys.push(...(await family.findNamed({ ...ctx, db }, ours)));
    }
  }
  const lost = await addUnlisted(ctx, db, keys);
  const migrations = await selectMigrations(db);
  const origin = await selectOrigin(db);
  return { rows: { at: snapshot.at.toISOString(), origin, migrations, tables }, keys, lost };
}

/** What a newer release keeps in tables of its own would be missing, and its restore would not notice. */
async function refuseNewerTables(snapshot: DatabaseSnapshot<Tables>): Promise<void> {
  const [newer] = await snapshot.findNewerMigrations();
  if (newer === undefined) return;
  const known = new Set([...Object.keys(backedUpTables), ...Object.values(tablesLeftOut).flat()]);
  const unknown = (await selectTableNames(snapshot.query)).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new BackupRefusedError(
      `A newer version of Podstead has migrated the database, with ${newer}. Make the backup with that version: this one doesn't know the tables ${unknown.join(', ')}.`,
    );
}

/**
 * Adds the files that rows name, but that the store did not list, such as symbolic links. Returns those that
 * it does not have.
 */
async function addUnlisted({ blobs }: Context, db: Db, keys: string[]): Promise<string[]> {
  const listed = new Set(keys);
  const lost: string[] = [];
  for await (const named of readNamedKeys(db)) {
    for (const key of named) {
      if (listed.has(key)) continue;
      listed.add(key);
      const isThere = (await blobs.stat(key)) !== undefined;
      (isThere ? keys : lost).push(key);
    }
  }
  return lost;
}

async function backUpTable(
  db: Db,
  name: string,
  rule: TableRule,
  writer: ContentWriter,
  onRows: (count: number) => void,
): Promise<BackedUpTable> {
  const columns = await selectColumns(db, name);
  const parts = new PartWriter(writer.storePart, name);
  for await (const lines of readRows(db, name, columns, rule)) {
    for (const line of lines) await parts.write(line);
    onRows(lines.length);
  }
  return { name, columns, ...(await parts.finish()) };
}

/** A key never gets other content, so what the last backup says of a file still holds. */
async function readKnownFiles(repository: BackupRepository): Promise<Map<string, StoredFile>> {
  for (const name of await repository.list()) {
    const files = await orUnreadable(readFilesOf(repository, name));
    if (files !== undefined) return files;
  }
  // All files are read again.
  return new Map();
}

async function readFilesOf(
  repository: BackupRepository,
  name: string,
  isWanted: (file: StoredFile) => boolean = () => true,
): Promise<Map<string, StoredFile>> {
  const found = new Map<string, StoredFile>();
  const { files } = await repository.readManifest(name);
  for await (const lines of readParts(files.parts, (sha256) => repository.read(sha256))) {
    for (const line of lines) {
      const file = tryReadFileLine(line);
      if (file !== undefined && isWanted(file)) found.set(file.key, file);
    }
  }
  return found;
}

/**
 * Adds to `known` those of the lost files whose content is in the repository, and returns the keys of these
 * and of the others. The last backup may not name them any more: the newest one that does is read.
 */
async function recallFiles(
  repository: BackupRepository,
  writer: ContentWriter,
  lost: readonly string[],
  known: Map<string, StoredFile>,
  { signal }: WorkOptions,
): Promise<{ readonly recalled: readonly string[]; readonly missing: readonly string[] }> {
  const has = (key: string) => {
    const file = known.get(key);
    return file !== undefined && writer.has(file);
  };
  const left = new Set(lost.filter((key) => !has(key)));
  const isWanted = (file: StoredFile) => left.has(file.key) && writer.has(file);
  for (const name of left.size === 0 ? [] : await repository.list()) {
    if (left.size === 0) break;
    signal?.throwIfAborted();
    const files = await orUnreadable(readFilesOf(repository, name, isWanted));
    for (const [key, file] of files ?? []) {
      known.set(key, file);
      left.delete(key);
    }
  }
  return { recalled: lost.filter((key) => !left.has(key)), missing: [...left] };
}

async function backUpFiles(
  ctx: Context,
  writer: ContentWriter,
  keys: readonly string[],
  known: ReadonlyMap<string, StoredFile>,
  { signal, check, onProgress }: CheckedOptions,
): Promise<Manifest['files']> {
  const list = new PartWriter(writer.storePart, 'the list of files');
  let [count, bytes] = [0, 0];
  for (const some of chunksOf(keys, filesAtOnce)) {
    check();
    const files = await allOrFirstError(some, signal, async (key, either) => {
      const file = known.get(key);
      const isThere = file !== undefined && writer.has(file);
      return isThere ? file : await writer.storeFile(ctx, key, either);
    });
    // Nothing else lets a server respond while all files are known.
    if (count % filesInTurn === 0) await setImmediate();
    for (const file of files) {
      await list.write(writeFileLine(file));
      count += 1;
      bytes += file.bytes;
    }
    onProgress?.({ stage: 'files', done: count, total: keys.length });
  }
  return { count, bytes, parts: (await list.finish()).parts };
}

/** The first error ends the other work. It is thrown after all has ended: none goes on without a mark. */
async function allOrFirstError<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([failed.signal, signal]);
  const results = items.map((item) =>
    work(item, either).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(results);
  failed.signal.throwIfAborted();
  return await Promise.all(results);
}
