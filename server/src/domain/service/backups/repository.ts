import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobNotFoundError, type BlobStore } from '../../../platform/blob-store/blob-store.ts';
import { BackupRefusedError, DamagedBackupError } from './backup-errors.ts';
import {
  isSnapshotName,
  type Manifest,
  nameOfSnapshot,
  readManifest,
  writeManifest,
} from './manifest.ts';

const contentType = 'application/octet-stream';
const manifestsFolder = 'snapshots';
const filesFolder = 'files';
const workFolder = 'work';
/** With parts of 4 MB it describes some terabytes. */
const longestManifestBytes = 64 * 1024 * 1024;
/** Work that has not said for so long that it continues has ended. */
const workEndsAfterMs = 3 * 60_000;
const renewEveryMs = 30_000;

type Work = 'create' | 'prune';

/**
 * A place for backups: a folder, or a part of a bucket. `files/` has the content of files and rows by its
 * SHA-256, `snapshots/` a manifest for each complete backup, `work/` says who is at work.
 */
export class BackupRepository {
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** The names of all complete snapshots, newest first. */
  async list(): Promise<string[]> {
    const names: string[] = [];
    for await (const batch of this.#store.list(manifestsFolder)) {
      for (const { key } of batch) {
        const name = key.slice(manifestsFolder.length + 1).replace(/[.]json$/, '');
        if (isSnapshotName(name)) names.push(name);
      }
    }
    return names.sort().reverse();
  }

  /** Throws DamagedBackupError, and BackupRefusedError if there is none or it has a newer format. */
  async readManifest(name: string): Promise<Manifest> {
    if (!isSnapshotName(name)) throw new BackupRefusedError(`${name} is not the name of a backup.`);
    const stored = await this.#store.read(manifestKey(name)).catch((error: unknown) => {
      if (!(error instanceof BlobNotFoundError)) throw error;
      throw new BackupRefusedError(`There is no backup ${name} here.`);
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stored as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > longestManifestBytes)
        throw new DamagedBackupError(`the manifest of ${name} is too long`);
      chunks.push(chunk);
    }
    return readManifest(name, Buffer.concat(chunks));
  }

  /** Completes a backup. */
  async writeManifest(manifest: Manifest): Promise<{ name: string; bytes: number }> {
    const bytes = writeManifest(manifest);
    const name = nameOfSnapshot(manifest.created_at, bytes);
    await this.#store.put(manifestKey(name), bytes, 'application/json');
    return { name, bytes: bytes.length };
  }

  async removeManifest(name: string): Promise<void> {
    await this.#store.delete(manifestKey(name));
  }

  async put(sha256: string, bytes: Buffer): Promise<void> {
    await this.#store.put(contentKey(sha256), bytes, contentType);
  }

  /** Stores what `content` has under its hash, unless `isThere` says that it is there already. */
  async putStream(
    content: Readable,
    expectedBytes: number | undefined,
    isThere: (found: Measure) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Measure & { readonly added: boolean }> {
    const path = join(this.#store.scratchDir, `backup-${randomUUID()}`);
    const measured = new Measured();
    try {
      using reserved = await this.#store.room.reserve(expectedBytes);
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(content, measured, (body) => reserved.taking(body), file, { signal });
      const found = measured.finish();
      const added = !isThere(found);
      if (added) await this.#store.putFile(contentKey(found.sha256), path, contentType);
      return { ...found, added };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Throws DamagedBackupError if there is no such content. Its bytes are as they are stored. */
  async read(sha256: string): Promise<Readable> {
    return await this.#store.read(contentKey(sha256)).catch((error: unknown) => {
      if (!(error instanceof BlobNotFoundError)) throw error;
      throw new DamagedBackupError(`the content ${sha256} is missing`, { cause: error });
    });
  }

  /** The same, but the stream fails at its end unless it has these bytes. */
  async readWhole(sha256: string, bytes: number): Promise<Readable> {
    const stored = await this.read(sha256);
    const checked = new Measured((found) => {
      if (found.sha256 !== sha256 || found.bytes !== bytes)
        throw new DamagedBackupError(`the content ${sha256} is damaged`);
    });
    stored.once('error', (error) => checked.destroy(error));
    checked.once('close', () => stored.destroy());
    return stored.pipe(checked);
  }

  /** All content, in batches, whether a snapshot names it or not. */
  async *listContent(): AsyncGenerator<{ sha256: string; bytes: number }[]> {
    for await (const batch of this.#store.list(filesFolder))
      yield batch.flatMap(({ key, sizeBytes }) => {
        const sha256 = key.slice(-64);
        return key === contentKey(sha256) ? [{ sha256, bytes: sizeBytes }] : [];
      });
  }

  async remove(sha256: string): Promise<void> {
    await this.#store.delete(contentKey(sha256));
  }

  /**
   * Says that this process is at work, until it is disposed. Backups run beside each other, but not beside
   * a prune, which would delete what they count on. Throws BackupRefusedError. `alone`: also for a backup.
   */
  async begin(work: Work, { alone = work === 'prune' } = {}): Promise<WorkMark> {
    const key = `${workFolder}/${work}-${randomUUID()}`;
    const mark = new WorkMark(
      async () => void (await this.#store.put(key, Buffer.from(work), contentType)),
      () => this.#store.delete(key),
    );
    try {
      await mark.renew();
      // Each says so first and looks then, so that one of two sees the other.
      const others = await this.#listOthers(key);
      if (others.some((other) => alone || other.startsWith(`${workFolder}/prune-`)))
        throw new BackupRefusedError(alone ? othersAtWork : othersPrune);
      return mark;
    } catch (error) {
      await mark[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #listOthers(own: string): Promise<string[]> {
    const found: { key: string; storedAt: Date }[] = [];
    for await (const batch of this.#store.list(workFolder)) found.push(...batch);
    // Times are by the clock of the store, which wrote our own just now.
    const now = found.find(({ key }) => key === own)?.storedAt.getTime() ?? Date.now();
    return found
      .filter(({ key, storedAt }) => key !== own && now - storedAt.getTime() < workEndsAfterMs)
      .map(({ key }) => key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }
}

const manifestKey = (name: string) => `${manifestsFolder}/${name}.json`;

/** `files/3f/3f9a…`: no folder of a disk gets too many. */
const contentKey = (sha256: string) => `${filesFolder}/${sha256.slice(0, 2)}/${sha256}`;

const othersAtWork =
  'Another process is making or pruning backups in this place, or was killed within the last three minutes. Try again later.';
const othersPrune =
  'Backups of this place are being pruned, or were until a process was killed within the last three minutes. Try again later.';

/** Says again and again that somebody is at work, until it is disposed. */
class WorkMark implements AsyncDisposable {
  readonly #write: () => Promise<void>;
  readonly #remove: () => Promise<void>;
  readonly #renewing: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();
  #writtenAt = Date.now();
  #longestGapMs = 0;

  constructor(write: () => Promise<void>, remove: () => Promise<void>) {
    this.#write = write;
    this.#remove = remove;
    this.#renewing = setInterval(() => void this.renew().catch(() => undefined), renewEveryMs);
    this.#renewing.unref();
  }

  async renew(): Promise<void> {
    const before = Date.now();
    const written = this.#write();
    this.#writing = written.catch(() => undefined);
    await written;
    this.#noteGap();
    this.#writtenAt = before;
  }

  /** False if others may have believed that this process has ended. */
  get wasSeen(): boolean {
    this.#noteGap();
    return this.#longestGapMs < workEndsAfterMs / 2;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewing);
    // Otherwise the mark could appear again after it was removed.
    await this.#writing;
    // A mark that stays expires. The work is done, or its own error says more.
    await this.#remove().catch(() => undefined);
  }

  #noteGap(): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, Math.abs(Date.now() - this.#writtenAt));
  }
}

interface Measure {
  readonly sha256: string;
  readonly bytes: number;
}

/** Passes bytes through, and counts and hashes them. `check` may refuse them at their end. */
class Measured extends Transform {
  readonly #hash = createHash('sha256');
  readonly #check: ((found: Measure) => void) | undefined;
  #bytes = 0;
  #found: Measure | undefined;

  constructor(check?: (found: Measure) => void) {
    super();
    this.#check = check;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, out: Buffer) => void) {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  override _flush(done: (error?: Error) => void): void {
    try {
      this.#check?.(this.finish());
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  finish(): Measure {
    this.#found ??= { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
    return this.#found;
  }
}

/** The hash and length of a stream, read to its end. */
export async function measure(content: Readable): Promise<Measure> {
  const measured = new Measured();
  content.once('error', (error) => measured.destroy(error));
  content.pipe(measured).resume();
  await once(measured, 'end');
  return measured.finish();
}
