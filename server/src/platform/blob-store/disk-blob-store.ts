import { randomUUID } from 'node:crypto';
import { constants, type Dir } from 'node:fs';
import { chmod, type FileHandle, link, open, opendir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock/clock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { NotAFileError, openRegularFile } from '../files/open-regular-file.ts';
import {
  assertBlobKey,
  assertByteSpan,
  BlobNotFoundError,
  type BlobStore,
  type ByteSpan,
  isBlobKey,
  type Leftovers,
  type ListedBlob,
  mostListedAtOnce,
  type OpenBlob,
} from './blob-store.ts';
import { DiskRoom, type DiskRoomOptions, type Reservation } from './disk-room.ts';
import {
  blobFileMode,
  copyDurably,
  renameDurably,
  syncFolder,
  syncPath,
  unlinkDurably,
  writeDurably,
} from './durable-file.ts';
import { OpenFiles } from './open-files.ts';
import { type Append, PartialBlobLostError, type PartialBlobs } from './partial-blobs.ts';
import { prepareScratchFolder, removeOldFiles } from './scratch-folder.ts';

export interface DiskBlobStoreOptions {
  readonly clock?: Clock;
  readonly listedAtOnce?: number;
  readonly room?: DiskRoomOptions;
  readonly mostClients?: number;
  /** If nothing can be written to the folder, only writing fails, not opening it. */
  readonly mayBeReadOnly?: boolean;
}

/** Each has a connection and at most one open file: with all of both kinds, 60,000 descriptors. */
const defaultMostClients = 15_000;

/**
 * Opens a blob store with one file per key under `folder`, which it creates if missing. Content
 * types are not stored, because readers know them. Several processes may share it.
 */
export async function openDiskBlobStore(
  folder: string,
  options: DiskBlobStoreOptions = {},
): Promise<BlobStore> {
  await makeFolder(folder, 0o750);
  const store = new DiskBlobStore(resolve(folder), options);
  const preparing = prepareScratchFolder(store.scratchDir, (options.clock ?? systemClock).now());
  await (options.mayBeReadOnly ? preparing.catch(() => undefined) : preparing);
  return store;
}

class DiskBlobStore implements BlobStore {
  readonly scratchDir: string;
  readonly room: DiskRoom;
  readonly partial: PartialBlobs;
  readonly mostClients: number;
  readonly #folder: string;
  readonly #listedAtOnce: number;
  readonly #open = new OpenFiles({ open: (key) => openRegularFile(this.#pathOf(key)) });

  constructor(folder: string, options: DiskBlobStoreOptions) {
    this.#folder = folder;
    this.room = new DiskRoom(folder, options.room);
    this.mostClients = options.mostClients ?? defaultMostClients;
    this.partial = createDiskPartialBlobs((key) => this.#pathOf(key), this.room);
    this.#listedAtOnce = options.listedAtOnce ?? mostListedAtOnce;
    // Inside the folder, so that renames stay on one disk. No key begins with a dot.
    this.scratchDir = join(folder, '.scratch');
  }

  async put(key: string, body: Buffer | Readable): Promise<{ sizeBytes: number }> {
    // A stream may fail before it is read; an unhandled 'error' would end the process.
    if (body instanceof Readable) body.on('error', () => {});
    const incoming = this.#newScratchPath();
    try {
      const path = this.#pathOf(key);
      const isStream = body instanceof Readable;
      using reserved = await this.room.reserve(isStream ? undefined : body.length);
      const sizeBytes = await writeDurably(incoming, isStream ? reserved.taking(body) : body);
      await renameDurably(incoming, path);
      this.#open.evict(key);
      return { sizeBytes };
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      await rm(incoming, { force: true });
      throw error;
    }
  }

  async putFile(key: string, from: string): Promise<{ sizeBytes: number }> {
    const path = this.#pathOf(key);
    await chmod(from, blobFileMode);
    const sizeBytes = await syncPath(from);
    try {
      await renameDurably(from, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
      await this.#copyFromOtherDisk(from, path);
    }
    this.#open.evict(key);
    return { sizeBytes };
  }

  /** Makes a hard link, or a copy if the file system has no hard links. */
  async copy(from: string, to: string): Promise<{ sizeBytes: number }> {
    const [source, path] = [this.#pathOf(from), this.#pathOf(to)];
    // Other than a file, it would be linked, and opening it could wait for ever.
    if ((await this.stat(from)) === undefined) throw new BlobNotFoundError(from);
    const incoming = this.#newScratchPath();
    try {
      await link(source, incoming).catch(async (error: unknown) => {
        if (isMissing(error)) throw new BlobNotFoundError(from, { cause: error });
        await this.#copyInto(source, incoming);
      });
      const sizeBytes = await syncPath(incoming);
      await renameDurably(incoming, path);
      this.#open.evict(to);
      return { sizeBytes };
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  }

  async #copyInto(from: string, to: string): Promise<void> {
    using _reserved = await this.room.reserve((await stat(from)).size);
    await copyDurably(from, to);
  }

  async #copyFromOtherDisk(from: string, path: string): Promise<void> {
    const incoming = this.#newScratchPath();
    try {
      await this.#copyInto(from, incoming);
      await renameDurably(incoming, path);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await rm(from, { force: true });
  }

  async withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T> {
    if ((await this.stat(key)) === undefined) throw new BlobNotFoundError(key);
    return await use(this.#pathOf(key));
  }

  async read(key: string, span?: ByteSpan): Promise<Readable> {
    if (span !== undefined) assertByteSpan(span);
    const path = this.#pathOf(key);
    const file = await this.#open.withFiles(() => openRegularFile(path)).catch(refuseMissing(key));
    try {
      if (span === undefined) return file.createReadStream();
      if (span.start >= (await file.stat()).size)
        throw new RangeError(`${key} ends before ${span.start}`);
      return file.createReadStream({ start: span.start, end: span.end });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  open(key: string): OpenBlob | Promise<OpenBlob> {
    return this.#open.tryKept(key) ?? this.#openFile(key);
  }

  async #openFile(key: string): Promise<OpenBlob> {
    return this.#open.open(key).catch(refuseMissing(key));
  }

  async stat(key: string): Promise<{ sizeBytes: number } | undefined> {
    try {
      const found = await stat(this.#pathOf(key));
      return found.isFile() ? { sizeBytes: found.size } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await unlinkDurably(this.#pathOf(key));
      this.#open.evict(key);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async *list(folder: string): AsyncGenerator<ListedBlob[]> {
    assertBlobKey(folder);
    let batch: ListedBlob[] = [];
    for await (const key of listKeysBelow(this.#folder, folder)) {
      const found = await this.#describe(key);
      if (found !== undefined) batch.push(found);
      if (batch.length < this.#listedAtOnce) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  removeLeftovers(now: Date, options?: { dryRun?: boolean }): Promise<Leftovers> {
    return removeOldFiles(this.scratchDir, now, options);
  }

  async check(): Promise<void> {
    const path = this.#newScratchPath();
    try {
      await writeDurably(path, Buffer.from('ok'));
      if ((await readFile(path, 'utf8')) !== 'ok')
        throw new Error(`${path} does not contain what was written`);
    } finally {
      await rm(path, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open[Symbol.asyncDispose]();
  }

  async #describe(key: string): Promise<ListedBlob | undefined> {
    try {
      // Not mtime, which is older than the blob if a download waited before `putFile`.
      const { size, ctime } = await stat(this.#pathOf(key));
      return { key, sizeBytes: size, storedAt: ctime };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.#folder, key);
  }

  #newScratchPath(): string {
    return join(this.scratchDir, `put-${randomUUID()}`);
  }
}

// A folder at the key's path, or a file in the middle of the path, counts as missing.
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** So does a named pipe, a device or a socket, which isn't opened. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof NotAFileError || missingCodes.has((error as NodeJS.ErrnoException).code ?? '')
  );
}

function refuseMissing(key: string): (error: unknown) => never {
  return (error) => {
    throw isMissing(error) ? new BlobNotFoundError(key, { cause: error }) : error;
  };
}

const syncedBytes = 16 * 1024 * 1024;
/** A slow sender loses no more than this when the process is killed. */
const syncedAfterMs = 1_000;

/** Each blob grows at its key's own path. The key's owner reads it only when it is finished. */
function createDiskPartialBlobs(pathOf: (key: string) => string, room: DiskRoom): PartialBlobs {
  return {
    requireRoom: (bytes) => room.require(bytes),
    async begin(key) {
      await makeFolder(dirname(pathOf(key)));
      return { sizeBytes: 0, state: '' };
    },
    async append(append) {
      using reserved = room.follow(append.totalBytes - append.progress.sizeBytes);
      await appendToFile(pathOf(append.key), append, reserved);
    },
    async finish({ key, totalBytes }) {
      const found = await stat(pathOf(key)).catch(() => undefined);
      if (found?.size !== totalBytes) throw new PartialBlobLostError(key);
    },
    /** Its `list` has them all. */
    async *listUnfinished() {},
    async remove({ key }) {
      await unlinkDurably(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}

async function appendToFile(path: string, append: Append, reservation: Reservation): Promise<void> {
  await using file = await openToAppend(path, append);
  const { body, record } = append;
  let at = append.progress.sizeBytes;
  let recorded = at;
  let recordedAtMs = performance.now();
  const checkpoint = async () => {
    if (at === recorded) return;
    const sizeBytes = at;
    await file.datasync();
    await record({ sizeBytes, state: '' });
    recorded = sizeBytes;
    recordedAtMs = performance.now();
  };
  try {
    for await (const chunk of reservation.taking(body)) {
      await writeAt(file, chunk, at);
      at += chunk.length;
      const isDue = performance.now() - recordedAtMs >= syncedAfterMs;
      if (isDue || at - recorded >= syncedBytes) await checkpoint();
    }
  } finally {
    await checkpoint();
  }
}

async function openToAppend(path: string, { key, progress }: Append): Promise<FileHandle> {
  const file = await open(path, constants.O_CREAT | constants.O_RDWR, blobFileMode);
  try {
    const { size } = await file.stat();
    if (size < progress.sizeBytes) throw new PartialBlobLostError(key);
    if (progress.sizeBytes === 0) await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function writeAt(file: FileHandle, chunk: Buffer, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at + done);
    done += bytesWritten;
  }
}

/**
 * The keys of all files below `root`/`folder`, listed incrementally. Skips links and files whose
 * names are not keys, because the store did not create them. A missing folder has no files.
 */
async function* listKeysBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await openFolder(join(root, folder));
  if (entries === undefined) return;
  for await (const entry of entries) {
    const key = `${folder}/${entry.name}`;
    if (!isBlobKey(key)) continue;
    if (entry.isDirectory()) yield* listKeysBelow(root, key);
    else if (entry.isFile()) yield key;
  }
}

async function openFolder(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
