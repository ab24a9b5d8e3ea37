import { type FileHandle, open } from 'node:fs/promises';
import type { OpenBlob } from './blob-store.ts';
import { blockBytes, FileBlocks } from './file-blocks.ts';

const defaults = {
  maxFiles: 256,
  /** The process is to stay small (docs/decisions/0057). */
  maxBlockBytes: 24 * 1024 * 1024,
  idleMs: 10_000,
  open: (path: string): Promise<FileHandle> => open(path, 'r'),
};

interface OpenFile {
  readonly path: string;
  /** Of its blocks: a path can get another file. */
  readonly name: string;
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  users: number;
  idleSinceMs: number;
  /** False: closed by its last user. */
  isKept: boolean;
}

/**
 * Files that are read by many, or again and again, stay open: at most `maxFiles` of them beside those
 * in use, and until nobody has used them for `idleMs`. A file's content never changes.
 */
export class OpenFiles implements AsyncDisposable {
  readonly #options: typeof defaults;
  readonly #blocks: FileBlocks;
  /** The ones used last at the end. */
  readonly #kept = new Map<string, OpenFile>();
  readonly #opening = new Map<string, Promise<OpenFile>>();
  readonly #closing = new Set<Promise<void>>();
  #sweep: NodeJS.Timeout | undefined;
  #lastName = 0;
  #isClosed = false;

  constructor(options: Partial<typeof defaults> = {}) {
    this.#options = { ...defaults, ...options };
    this.#blocks = new FileBlocks(this.#options.maxBlockBytes);
  }

  /** How many files are kept open. */
  get size(): number {
    return this.#kept.size;
  }

  /** The file at `path`, which the caller disposes. Throws what opening throws. */
  async open(path: string): Promise<OpenBlob> {
    return this.tryKept(path) ?? this.#use(await this.#openOnce(path));
  }

  /** The same for a file that is open already; else undefined. */
  tryKept(path: string): OpenBlob | undefined {
    const file = this.#kept.get(path);
    return file === undefined ? undefined : this.#use(file);
  }

  #use(file: OpenFile): OpenBlob {
    file.users += 1;
    if (file.isKept) {
      this.#kept.delete(file.path);
      this.#kept.set(file.path, file);
    }
    let isInUse = true;
    return {
      sizeBytes: file.sizeBytes,
      read: (position, maxBytes) => this.#read(file, position, maxBytes),
      [Symbol.dispose]: () => {
        if (isInUse) this.#release(file);
        isInUse = false;
      },
    };
  }

  /** The file is deleted or replaced: who reads it reads on, and nobody else begins to. */
  forget(path: string): void {
    this.#opening.delete(path);
    const file = this.#kept.get(path);
    if (file !== undefined) this.#drop(file);
  }

  /** Closes what nobody is reading; true if that was anything. */
  async closeIdle(idleMs = 0): Promise<boolean> {
    const before = performance.now() - idleMs;
    const idle = [...this.#kept.values()].filter(
      ({ users, idleSinceMs }) => users === 0 && idleSinceMs <= before,
    );
    for (const file of idle) this.#drop(file);
    await Promise.all(this.#closing);
    return idle.length > 0;
  }

  /** Who still reads reads on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    for (const file of this.#kept.values()) this.#drop(file);
    await Promise.all(this.#closing);
  }

  #openOnce(path: string): Promise<OpenFile> {
    const underWay = this.#opening.get(path);
    if (underWay !== undefined) return underWay;
    const opening: Promise<OpenFile> = this.#open(path).then((file) => {
      // Unless it was deleted meanwhile.
      if (this.#opening.get(path) === opening) this.#keep(file);
      return file;
    });
    this.#opening.set(path, opening);
    const end = () => {
      if (this.#opening.get(path) === opening) this.#opening.delete(path);
    };
    opening.then(end, end);
    return opening;
  }

  async #open(path: string): Promise<OpenFile> {
    const handle = await this.withFiles(() => this.#options.open(path));
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: 'EISDIR' });
      this.#lastName += 1;
      const name = String(this.#lastName);
      // The first user is this opening, until all who wait for it have become users themselves.
      const file = { path, name, handle, sizeBytes: found.size, users: 1, idleSinceMs: 0 };
      const opened: OpenFile = { ...file, isKept: false };
      setImmediate(() => this.#release(opened));
      return opened;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens again once what is kept for later is closed, if there are too many files open. */
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
      const [longestIdle] = [...this.#kept.values()].filter(({ users }) => users === 0);
      if (longestIdle === undefined) return;
      this.#drop(longestIdle);
    }
    file.isKept = true;
    this.#kept.set(file.path, file);
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
    const cut = (block: Buffer) => block.subarray(from, from + maxBytes);
    const block = this.#blocks.get(file.name, index, () => this.#readBlock(file, index));
    return block instanceof Promise ? block.then(cut) : cut(block);
  }

  /** The whole block, or what there is of it: then the file is damaged, and next time opened anew. */
  async #readBlock({ handle, path, sizeBytes }: OpenFile, index: number): Promise<Buffer> {
    const start = index * blockBytes;
    const block = Buffer.allocUnsafeSlow(Math.max(0, Math.min(blockBytes, sizeBytes - start)));
    let filled = 0;
    while (filled < block.length) {
      const { bytesRead } = await handle.read(block, filled, block.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled < block.length) this.forget(path);
    return block.subarray(0, filled);
  }

  #release(file: OpenFile): void {
    file.users -= 1;
    file.idleSinceMs = performance.now();
    if (file.users === 0 && !file.isKept) this.#close(file);
  }

  #drop(file: OpenFile): void {
    this.#kept.delete(file.path);
    file.isKept = false;
    if (file.users === 0) this.#close(file);
  }

  #close({ handle, name, sizeBytes }: OpenFile): void {
    this.#blocks.forget(name, Math.ceil(sizeBytes / blockBytes));
    // Nothing was written: what closing could say, nobody needs to hear.
    const closing = handle.close().catch(() => undefined);
    this.#closing.add(closing);
    closing.then(() => this.#closing.delete(closing));
  }
}

/** Of this process, or of the whole machine. */
function isOutOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
