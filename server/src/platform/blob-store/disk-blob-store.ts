import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock/clock.ts';
import { assertBlobKey } from './blob-key.ts';
import { BlobNotFoundError, type BlobStore, type ByteSpan } from './blob-store.ts';
import { assertByteSpan } from './byte-span.ts';
import {
  blobFileMode,
  copyDurably,
  renameDurably,
  syncPath,
  unlinkDurably,
  writeDurably,
} from './durable-file.ts';
import { prepareScratchFolder } from './scratch-folder.ts';

/**
 * Opens the blob store that keeps one file per key under `folder`, making it where it is missing.
 * Content types are not kept: who serves a blob knows what it put. Several processes may share one.
 */
export async function openDiskBlobStore(
  folder: string,
  options: { clock?: Clock } = {},
): Promise<BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const store = new DiskBlobStore(resolve(folder));
  await prepareScratchFolder(store.scratchDir, (options.clock ?? systemClock).now());
  return store;
}

class DiskBlobStore implements BlobStore {
  readonly scratchDir: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    // Within the folder, so that a rename stays on one disk; no key begins with a dot.
    this.scratchDir = join(folder, '.scratch');
  }

  async put(key: string, body: Buffer | Readable): Promise<{ sizeBytes: number }> {
    // A stream may break before it is read from; unheard, that would end the process.
    if (body instanceof Readable) body.on('error', () => {});
    const incoming = this.#newScratchPath();
    try {
      const path = this.#pathOf(key);
      const sizeBytes = await writeDurably(incoming, body);
      await renameDurably(incoming, path);
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
    return { sizeBytes };
  }

  async #copyFromOtherDisk(from: string, path: string): Promise<void> {
    const incoming = this.#newScratchPath();
    try {
      await copyDurably(from, incoming);
      await renameDurably(incoming, path);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    await rm(from, { force: true });
  }

  async read(key: string, span?: ByteSpan): Promise<Readable> {
    if (span !== undefined) assertByteSpan(span);
    const file = await open(this.#pathOf(key), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobNotFoundError(key, { cause: error }) : error;
    });
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new BlobNotFoundError(key);
      if (span === undefined) return file.createReadStream();
      if (span.start >= found.size) throw new RangeError(`${key} ends before ${span.start}`);
      return file.createReadStream({ start: span.start, end: span.end });
    } catch (error) {
      await file.close();
      throw error;
    }
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
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async check(): Promise<void> {
    const path = this.#newScratchPath();
    try {
      await writeDurably(path, Buffer.from('ok'));
      if ((await readFile(path, 'utf8')) !== 'ok') throw new Error(`${path} reads differently`);
    } finally {
      await rm(path, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.#folder, key);
  }

  #newScratchPath(): string {
    return join(this.scratchDir, `put-${randomUUID()}`);
  }
}

// A folder in the key's place, or a file on the way to it, is as good as nothing.
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

function isMissing(error: unknown): boolean {
  return missingCodes.has((error as NodeJS.ErrnoException).code ?? '');
}
