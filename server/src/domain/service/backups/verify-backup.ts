import { forEachConcurrently } from '../../../lib/for-each-concurrently.ts';
import { RowDigest } from '../../../lib/row-digest.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { DamagedBackupError } from './backup-errors.ts';
import { backedUpFiles, countRows, filesAtOnce } from './create-backup.ts';
import { ListedFiles, type StoredFile, tryReadFileLine } from './file-lines.ts';
import { findSnapshot } from './find-snapshot.ts';
import type { BackedUpTable, Manifest } from './manifest.ts';
import type { BackupRepository } from './repository.ts';
import { readPart } from './rows.ts';

export interface VerifiedBackup {
  readonly snapshot: string;
  readonly files: number;
  readonly rows: number;
  /** What is missing, or not as it was written: where it is in the repository, and what it is. */
  readonly damaged: readonly string[];
}

/** Reads everything of a backup and compares it with its hashes. Needs no database. */
export async function verifyBackup(
  repository: BackupRepository,
  wanted: string | undefined,
  options: WorkOptions = {},
): Promise<VerifiedBackup> {
  await using _work = await repository.beginToRead();
  const snapshot = await findSnapshot(repository, wanted);
  const damaged = new Set<string>();
  const manifest = await noting(damaged, `snapshots/${snapshot}.json`, () =>
    repository.readManifest(snapshot),
  );
  if (manifest === undefined) return { snapshot, files: 0, rows: 0, damaged: [...damaged] };
  for (const table of manifest.tables) await verifyTable(repository, table, damaged, options);
  await verifyFiles(repository, manifest, damaged, options);
  const { count: files } = manifest.files;
  return { snapshot, files, rows: countRows(manifest), damaged: [...damaged].sort() };
}

async function verifyTable(
  repository: BackupRepository,
  table: BackedUpTable,
  damaged: Set<string>,
  { signal, onProgress }: WorkOptions,
): Promise<void> {
  const digest = new RowDigest();
  let rows = 0;
  for (const part of table.parts) {
    await noting(damaged, nameOf(part.sha256, table.name), async () => {
      for await (const lines of readPart(part, await repository.read(part.sha256))) {
        signal?.throwIfAborted();
        for (const line of lines) digest.add(line);
        rows += lines.length;
        onProgress?.({ stage: 'rows', done: rows, total: table.rows });
      }
    });
  }
  const isWhole = rows === table.rows && digest.toString() === table.digest;
  // A damaged part has been named already.
  const isNamed = table.parts.some(({ sha256 }) => damaged.has(nameOf(sha256, table.name)));
  if (!isWhole && !isNamed) damaged.add(table.name);
}

async function verifyFiles(
  repository: BackupRepository,
  { files }: Manifest,
  damaged: Set<string>,
  { signal, onProgress }: WorkOptions,
): Promise<void> {
  const listed = new ListedFiles();
  let [done, bytes] = [0, 0];
  for (const part of files.parts) {
    await noting(damaged, nameOf(part.sha256, fileList), async () => {
      for await (const lines of readPart(part, await repository.read(part.sha256))) {
        await forEachConcurrently(lines, filesAtOnce, async (line) => {
          signal?.throwIfAborted();
          await verifyFile(repository, line, listed, damaged);
          bytes += tryReadFileLine(line)?.bytes ?? 0;
          done += 1;
          onProgress?.({ stage: 'files', done, total: files.count });
        });
      }
    });
  }
  const isWhole = done === files.count && bytes === files.bytes;
  const isNamed = files.parts.some(({ sha256 }) => damaged.has(nameOf(sha256, fileList)));
  if (!isWhole && !isNamed) damaged.add(fileList);
}

async function verifyFile(
  repository: BackupRepository,
  line: string,
  listed: ListedFiles,
  damaged: Set<string>,
): Promise<void> {
  const file = tryReadFile(line);
  if (file === undefined || !listed.add(file)) {
    damaged.add(line.slice(0, 200));
    return;
  }
  await noting(damaged, nameOf(file.sha256, file.key), async () => {
    const content = await repository.readWhole(file.sha256, file.bytes);
    for await (const _chunk of content);
  });
}

/** Undefined: no file of an installation could have this key, such as one with `..` in it. */
export function tryReadFile(line: string): StoredFile | undefined {
  const file = tryReadFileLine(line);
  if (file === undefined) return undefined;
  const isOurs = backedUpFiles.some(
    ({ folder, keyForm }) => file.key.startsWith(`${folder}/`) && keyForm.test(file.key),
  );
  return isOurs ? file : undefined;
}

const fileList = 'the list of files';
const nameOf = (sha256: string, what: string) => `files/${sha256.slice(0, 2)}/${sha256} (${what})`;

/** The result; undefined and a name in `damaged` if what is read is damaged. */
async function noting<T>(
  damaged: Set<string>,
  name: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DamagedBackupError)) throw error;
    damaged.add(name);
    return undefined;
  }
}
