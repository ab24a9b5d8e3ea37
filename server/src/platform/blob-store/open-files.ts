import type { FileHandle } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { OpenBlob } from './blob-store.ts';

const defaults = {
  maxFiles: 256,
  /** Limited because the process should use little memory (docs/decisions/0001). */
  maxBlockBytes: 24 * 1024 * 1024,
  idleMs: 10_000,
};

interface Options extends Partial<typeof defaults> {
  open(key: string): Promise<FileHandle>;
}

interface OpenFile {
  readonly key: string;
  /** Identifies the file in the block cache. Its key cannot, because files are replaced. */
  readonly name: string;
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  users: number;
  idleSinceMs: number;
  /** If false, the file is closed when its last user is done. */
  isKept: boolean;
}

interface Reading {
  read(file: OpenFile, position: number, maxBytes: number): Buffer | Promise<Buffer>;
  release(file: OpenFile): void;
}

/** One user of an open file. A literal with the key `Symbol.dispose` takes V8 2 µs to build. */
class Reader implements OpenBlob {
  readonly sizeBytes: number;
  readonly #file: OpenFile;
  readonly #reading: Reading;
  #isInUse = true;

  constructor(file: OpenFile, reading: Reading) {
    this.sizeBytes = file.sizeBytes;
    this.#file = file;
    this.#reading = reading;
  }

  read(position: number, maxBytes: number): Buffer | Promise<Buffer> {
    return this.#reading.read(this.#file, position, maxBytes);
  }

  [Symbol.dispose](): void {
    if (this.#isInUse) this.#reading.release(this.#file);
    this.#isInUse = false;
  }
}

/**
 * Keeps files open between readers. Beyond `maxFiles` it closes the longest idle file, and it
 * closes every file that was idle for `idleMs`. A file's content never changes.
 */
export class OpenFiles implements AsyncDisposable {
  readonly #options: Required<Options>;
  readonly #blocks: FileBlocks;
  /** By key. Not reordered by use: each change of a Map makes V8 copy it. */
  readonly #kept = new Map<string, OpenFile>();
  readonly #opening = new Map<string, Promise<OpenFile>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #reading: Reading = {
    read: (file, position, maxBytes) => this.#read(file, position, maxBytes),
    release: (file) => this.#release(file),
  };
  #sweep: NodeJS.Timeout | undefined;
  #lastName = 0;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = { ...defaults, ...options };
    this.#blocks = new FileBlocks(this.#options.maxBlockBytes);
  }

  /** How many files are kept open. */
  get size(): number {
    return this.#kept.size;
  }

  /** Opens a file by its key; the caller disposes it. Throws the errors of `fs.open`. */
  async open(key: string): Promise<OpenBlob> {
    return this.tryKept(key) ?? this.#use(await this.#openOnce(key));
  }

  /** The same without a promise, if the file is open already; else undefined. */
  tryKept(key: string): OpenBlob | undefined {
    const file = this.#kept.get(key);
    return file === undefined ? undefined : this.#use(file);
  }

  #use(file: OpenFile): OpenBlob {
    file.users += 1;
    return new Reader(file, this.#reading);
  }

  /**
   * Call it when the file is deleted or replaced. Readers that have it open continue; new readers
   * open the new file.
   */
  evict(key: string): void {
    this.#opening.delete(key);
    const file = this.#kept.get(key);
    if (file !== undefined) this.#drop(file);
  }

  /** Closes files that nobody uses. Returns whether it closed any. */
  async closeIdle(idleMs = 0): Promise<boolean> {
    const before = performance.now() - idleMs;
    const idle = [...this.#kept.values()].filter(
      ({ users, idleSinceMs }) => users === 0 && idleSinceMs <= before,
    );
    for (const file of idle) this.#drop(file);
    await Promise.all(this.#closing);
    return idle.length > 0;
  }

  /** Files that are in use stay open until their last reader is done. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    for (const file of this.#kept.values()) this.#drop(file);
    await Promise.all(this.#closing);
  }

  #openOnce(key: string): Promise<OpenFile> {
    const underWay = this.#opening.get(key);
    if (underWay !== undefined) return underWay;
    const opening: Promise<OpenFile> = this.#open(key).then((file) => {
      // `forget` may have been called since.
      if (this.#opening.get(key) === opening) this.#keep(file);
      return file;
    });
    this.#opening.set(key, opening);
    const end = () => {
      if (this.#opening.get(key) === opening) this.#opening.delete(key);
    };
    opening.then(end, end);
    return opening;
  }

  async #open(key: string): Promise<OpenFile> {
    const handle = await this.withFiles(() => this.#options.open(key));
    try {
      const found = await handle.stat();
      if (!found.isFile())
        throw Object.assign(new Error(`${key} is not a file`), { code: 'EISDIR' });
      this.#lastName += 1;
      const name = String(this.#lastName);
      // One user is counted for the opening itself, until the waiting callers are counted.
      const file = { key, name, handle, sizeBytes: found.size, users: 1, idleSinceMs: 0 };
      const opened: OpenFile = { ...file, isKept: false };
      setImmediate(() => this.#release(opened));
      return opened;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** If too many files are open, closes the idle ones and tries once more. */
  async withFiles<T>(openOne: () => Promise<T>): Promise<T> {
    try {
      return await openOne();
    } catch (error) {
      if (!isOutOfFiles(error) || !(await this.closeIdle())) throw error;
      return openOne();
    }
  }

  #keep(file: OpenFile): void {
    if (this.#isClosed) return;
    if (this.#kept.size >= this.#options.maxFiles) {
      const longestIdle = findLongestIdle(this.#kept.values());
      if (longestIdle === undefined) return;
      this.#drop(longestIdle);
    }
    file.isKept = true;
    this.#kept.set(file.key, file);
    const { idleMs } = this.#options;
    this.#sweep ??= setInterval(() => this.#closeLongIdle(), idleMs).unref();
  }

  async #closeLongIdle(): Promise<void> {
    await this.closeIdle(this.#options.idleMs);
    if (this.#kept.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #read(file: OpenFile, position: number, maxBytes: number): Buffer | Promise<Buffer> {
    const index = Math.floor(position / blockBytes);
    const from = position - index * blockBytes;
    const cut = (block: Buffer) =>
      from === 0 && maxBytes >= block.length ? block : block.subarray(from, from + maxBytes);
    const block = this.#blocks.get(file.name, index, () => this.#readBlock(file, index));
    return block instanceof Promise ? block.then(cut) : cut(block);
  }

  /** Reads a whole block. If the file has become shorter, the next reader opens it again. */
  async #readBlock({ handle, key, sizeBytes }: OpenFile, index: number): Promise<Buffer> {
    const start = index * blockBytes;
    const block = Buffer.allocUnsafeSlow(Math.max(0, Math.min(blockBytes, sizeBytes - start)));
    let filled = 0;
    while (filled < block.length) {
      const { bytesRead } = await handle.read(block, filled, block.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled < block.length) this.evict(key);
    return block.subarray(0, filled);
  }

  #release(file: OpenFile): void {
    file.users -= 1;
    file.idleSinceMs = performance.now();
    if (file.users === 0 && !file.isKept) this.#close(file);
  }

  #drop(file: OpenFile): void {
    this.#kept.delete(file.key);
    file.isKept = false;
    if (file.users === 0) this.#close(file);
  }

  #close({ handle, name, sizeBytes }: OpenFile): void {
    this.#blocks.evict(name, Math.ceil(sizeBytes / blockBytes));
    // The file was only read, so an error of close() does not matter.
    const closing = handle.close().catch(() => undefined);
    this.#closing.add(closing);
    closing.then(() => this.#closing.delete(closing));
  }
}

/** Undefined if all files are in use. */
function findLongestIdle(files: Iterable<OpenFile>): OpenFile | undefined {
  let longest: OpenFile | undefined;
  for (const file of files) {
    if (file.users > 0) continue;
    if (longest === undefined || file.idleSinceMs < longest.idleSinceMs) longest = file;
  }
  return longest;
}

/** The limit of this process (EMFILE) or of the machine (ENFILE). */
function isOutOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}

/** Files are read in blocks of this size. */
export const blockBytes = 64 * 1024;

/**
 * Caches the blocks of files that were read last. Concurrent readers of a block share one read.
 * `name` identifies a file in this cache. The last block of a file may be shorter.
 */
class FileBlocks {
  readonly #kept: LRUCache<string, Buffer>;
  readonly #underWay = new Map<string, Promise<Buffer>>();

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: () => blockBytes });
  }

  /** Returns a cached block without a promise; else calls `load`. */
  get(name: string, index: number, load: () => Promise<Buffer>): Buffer | Promise<Buffer> {
    const key = `${name}/${index}`;
    return this.#kept.get(key) ?? this.#underWay.get(key) ?? this.#load(key, load);
  }

  /** Call it when a file is closed. It removes the file's `blocks` blocks. */
  evict(name: string, blocks: number): void {
    for (let index = 0; index < blocks; index += 1) this.#kept.delete(`${name}/${index}`);
  }

  #load(key: string, load: () => Promise<Buffer>): Promise<Buffer> {
    const loading = load()
      .then((block) => {
        this.#kept.set(key, block);
        return block;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, loading);
    return loading;
  }
}
