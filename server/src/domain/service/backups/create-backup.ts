import rootPackage from '../../../../../package.json' with { type: 'json' };
import { chunksOf } from '../../../lib/chunks-of.ts';
import type { DatabaseSnapshot } from '../../../platform/database/snapshot.ts';
import { documentFiles } from '../../exchange/imports/index.ts';
import type { Context } from '../../foundation/context.ts';
import type { Db, Tables } from '../../foundation/database.ts';
import type { FileFamily } from '../../foundation/file-family.ts';
import { audioFiles } from '../../publishing/audio/index.ts';
import { imageFiles } from '../../publishing/images/index.ts';
import { noteLastBackup, readRows, selectColumns, selectMigrations } from './backups.sql.ts';
import { type StoredFile, tryReadFileLine, writeFileLine } from './file-lines.ts';
import { type BackedUpTable, formatVersion, type Manifest, type Part } from './manifest.ts';
import type { BackupRepository } from './repository.ts';
import { PartWriter, readParts } from './rows.ts';
import { backedUpTables, type TableRule } from './tables.ts';

const { version: release } = rootPackage;

/** Earlier versions of the player, which pages of other sites load by their hash. */
const playerFiles: FileFamily = {
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

/** In an object store, most of the time for a small file is waiting. */
export const filesAtOnce = 4;

export interface BackupProgress {
  /** What is worked on now. */
  readonly stage: 'rows' | 'files' | 'comparison';
  readonly done: number;
  /** Undefined: not known. */
  readonly total: number | undefined;
}

export interface BackupOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

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
}

/**
 * Backs up the whole installation while it runs: all rows as they were at one moment, then the files that
 * they name. Files stay for a day after their last row, so none can go meanwhile. Content that the
 * repository has already is not written again. An interrupted backup leaves no manifest, so it does not
 * exist. Checks no permission.
 */
export async function createBackup(
  ctx: Context,
  repository: BackupRepository,
  openSnapshot: () => Promise<DatabaseSnapshot<Tables>>,
  options: BackupOptions & { readonly alone?: boolean } = {},
): Promise<CreatedBackup> {
  await using _work = await repository.begin('create', options);
  const known = await readKnownFiles(repository);
  const writer = new ContentWriter(repository);
  const { rows, keys } = await backUpRows(ctx, writer, openSnapshot, options);
  const files = await backUpFiles(ctx, writer, keys, known, options);
  const manifest: Manifest = {
    format: 'podstead-backup',
    format_version: formatVersion,
    release,
    created_at: rows.at,
    base_url: ctx.installation.baseUrl,
    migrations: rows.migrations,
    tables: rows.tables,
    files,
  };
  options.signal?.throwIfAborted();
  const { name, bytes } = await repository.writeManifest(manifest);
  await noteLastBackup(ctx.db, name, rows.at);
  return {
    snapshot: name,
    createdAt: rows.at,
    rows: countRows(manifest),
    files: files.count,
    bytesAdded: writer.addedBytes + bytes,
    bytesTotal: bytesOfBackup(manifest) + bytes,
  };
}

export function countRows({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Of the content that a manifest names. Content that it names twice counts twice. */
export function bytesOfBackup({ tables, files }: Manifest): number {
  const sum = (parts: readonly Part[]) => parts.reduce((total, { bytes }) => total + bytes, 0);
  return tables.reduce((total, { parts }) => total + sum(parts), files.bytes + sum(files.parts));
}

/** Stores content once, and adds up what is new. */
class ContentWriter {
  addedBytes = 0;
  readonly repository: BackupRepository;

  constructor(repository: BackupRepository) {
    this.repository = repository;
  }

  readonly storePart = async (sha256: string, zipped: Buffer): Promise<void> => {
    if (await this.repository.has(sha256)) return;
    await this.repository.put(sha256, zipped);
    this.addedBytes += zipped.length;
  };

  async storeFile(ctx: Context, key: string, signal?: AbortSignal): Promise<StoredFile> {
    const sizeBytes = (await ctx.blobs.stat(key))?.sizeBytes;
    const content = await ctx.blobs.read(key);
    const { sha256, bytes, added } = await this.repository.putStream(content, sizeBytes, signal);
    if (added) this.addedBytes += bytes;
    return { key, sha256, bytes };
  }
}

interface BackedUpRows {
  /** ISO 8601. */
  readonly at: string;
  readonly migrations: Manifest['migrations'];
  readonly tables: BackedUpTable[];
}

/** Reads what has to be from one moment: all rows, and the keys of the files that they name. */
async function backUpRows(
  ctx: Context,
  writer: ContentWriter,
  openSnapshot: () => Promise<DatabaseSnapshot<Tables>>,
  options: BackupOptions,
): Promise<{ rows: BackedUpRows; keys: readonly string[] }> {
  await using snapshot = await openSnapshot();
  const db = snapshot.query;
  const tables: BackedUpTable[] = [];
  let done = 0;
  const onRows = (count: number) => {
    done += count;
    options.signal?.throwIfAborted();
    options.onProgress?.({ stage: 'rows', done, total: undefined });
  };
  for (const [name, rule] of Object.entries(backedUpTables))
    tables.push(await backUpTable(db, name, rule, writer, onRows));
  const keys: string[] = [];
  for (const family of backedUpFiles) {
    for await (const batch of ctx.blobs.list(family.folder)) {
      options.signal?.throwIfAborted();
      const ours = batch.map(({ key }) => key).filter((key) => family.keyForm.test(key));
      if (ours.length === 0) continue;
      keys.push(...(await family.findNamed({ ...ctx, db }, ours)));
    }
  }
  const migrations = await selectMigrations(db);
  // In one order, so that the list of the next backup has the same parts.
  return { rows: { at: snapshot.at.toISOString(), migrations, tables }, keys: keys.sort() };
}

async function backUpTable(
  db: Db,
  name: string,
  rule: TableRule,
  writer: ContentWriter,
  onRows: (count: number) => void,
): Promise<BackedUpTable> {
  const columns = await selectColumns(db, name);
  const parts = new PartWriter(writer.storePart);
  for await (const lines of readRows(db, name, columns, rule)) {
    for (const line of lines) await parts.write(line);
    onRows(lines.length);
  }
  return { name, columns, ...(await parts.finish()) };
}

/** A key never gets other content, so what the last backup says of a file still holds. */
async function readKnownFiles(
  repository: BackupRepository,
): Promise<ReadonlyMap<string, StoredFile>> {
  const known = new Map<string, StoredFile>();
  const [newest] = await repository.list();
  if (newest === undefined) return known;
  const { files } = await repository.readManifest(newest);
  for await (const lines of readParts(files.parts, (sha256) => repository.read(sha256))) {
    for (const line of lines) {
      const file = tryReadFileLine(line);
      if (file !== undefined) known.set(file.key, file);
    }
  }
  return known;
}

async function backUpFiles(
  ctx: Context,
  writer: ContentWriter,
  keys: readonly string[],
  known: ReadonlyMap<string, StoredFile>,
  { signal, onProgress }: BackupOptions,
): Promise<Manifest['files']> {
  const list = new PartWriter(writer.storePart);
  let [count, bytes] = [0, 0];
  for (const some of chunksOf(keys, filesAtOnce)) {
    signal?.throwIfAborted();
    const files = await Promise.all(
      some.map((key) => known.get(key) ?? writer.storeFile(ctx, key, signal)),
    );
    for (const file of files) {
      await list.write(writeFileLine(file));
      count += 1;
      bytes += file.bytes;
    }
    onProgress?.({ stage: 'files', done: count, total: keys.length });
  }
  return { count, bytes, parts: (await list.finish()).parts };
}
