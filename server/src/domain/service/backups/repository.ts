import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Measure, MeasuredStream } from '../../../lib/measured-stream.ts';
import type { BackupStore } from '../../../platform/blob-store/backup-store.ts';
import { BlobNotFoundError } from '../../../platform/blob-store/blob-store.ts';
import { BackupRefusedError, DamagedBackupError, OthersAtWorkError } from './backup-errors.ts';
import { clockDiffersMs } from './last-backup.ts';
import {
  beginningOfName,
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
/** A mark that could not be removed within this time stays until it expires. */
const removeWithinMs = 60_000;

/** Many may read: verify or restore. */
type Work = 'create' | 'prune' | 'read';

/**
 * A place for backups: a folder, or a part of a bucket. `files/` has the content of files and rows by its
 * SHA-256, `snapshots/` a manifest for each complete backup, `work/` says who is at work.
 */
export class BackupRepository {
  readonly #store: BackupStore;

  constructor(store: BackupStore) {
    this.#store = store;
  }

  /**
   * The names of all complete snapshots, newest first. Those of the future are last: a backup that was made
   * while a clock was ahead must not be the newest until then.
   */
  async list(): Promise<string[]> {
    const names: string[] = [];
    for await (const batch of this.#store.list(manifestsFolder)) {
      for (const { key } of batch) {
        const name = key.slice(manifestsFolder.length + 1).replace(/[.]json$/, '');
        if (isSnapshotName(name)) names.push(name);
      }
    }
    const latest = beginningOfName(new Date(Date.now() + clockDiffersMs).toISOString());
    const isFuture = (name: string) => name > latest;
    const sorted = names.sort().reverse();
    return [...sorted.filter((name) => !isFuture(name)), ...sorted.filter(isFuture)];
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

  /** Stores what `open` returns under its hash, unless `isThere` says that it is there already. */
  async putStream(
    open: () => Promise<Readable>,
    expectedBytes: number | undefined,
    isThere: (found: Measure) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Measure & { readonly added: boolean }> {
    await using received = await this.#store.receive(open, expectedBytes, signal);
    const { sha256, bytes } = received;
    const added = !isThere(received);
    if (added) await received.moveTo(contentKey(sha256), contentType);
    return { sha256, bytes, added };
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
    const checked = new MeasuredStream((found) => {
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
   * Says that this process is at work, until it is disposed. Only a prune works alone: it would delete what
   * the others count on. Throws OthersAtWorkError. `alone`: beside no other backup, either.
   */
  async begin(work: Work, { alone = false } = {}): Promise<WorkMark> {
    const key = `${workFolder}/${work}-${randomUUID()}`;
    const mark = new WorkMark(
      async (signal) => {
        await this.#store.mark(key, signal);
      },
      (signal) => this.#store.delete(key, signal),
    );
    try {
      await mark.renew();
      // Each says so first and looks then, so that one of two sees the other.
      const others = await this.#listOthers(key);
      const isAtWork = (...works: Work[]) =>
        works.some((other) => others.some((name) => name.startsWith(`${workFolder}/${other}-`)));
      if (work === 'prune' && others.length > 0) throw new OthersAtWorkError(othersAtWork);
      if (isAtWork('prune')) throw new OthersAtWorkError(othersPrune);
      if (alone && isAtWork('create')) throw new OthersAtWorkError(othersAtWork);
      return mark;
    } catch (error) {
      await mark[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Keeps others from pruning what is read, if the place can be written. Throws OthersAtWorkError. Some
   * places can only be read, and backups are restored from them, too.
   */
  async beginToRead(): Promise<AsyncDisposable> {
    try {
      return await this.begin('read');
    } catch (error) {
      if (error instanceof OthersAtWorkError) throw error;
      return new AsyncDisposableStack();
    }
  }

  async #listOthers(own: string): Promise<string[]> {
    const found: { key: string; storedAt: Date }[] = [];
    for await (const batch of this.#store.list(workFolder)) found.push(...batch);
    // Times are by the clock of the store, which wrote our own just now.
    const now = found.find(({ key }) => key === own)?.storedAt.getTime() ?? Date.now();
    // A clock that was ahead once must not end all work.
    const isFresh = (at: Date) => Math.abs(now - at.getTime()) < workEndsAfterMs;
    return found
      .filter(({ key, storedAt }) => key !== own && isFresh(storedAt))
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
  'Another process is making, reading or pruning backups in this place, or was killed within the last three minutes. Try again later.';
const othersPrune =
  'Backups of this place are being pruned, or were until a process was killed within the last three minutes. Try again later.';

/** Says again and again that somebody is at work, until it is disposed. */
class WorkMark implements AsyncDisposable {
  readonly #write: (signal: AbortSignal) => Promise<void>;
  readonly #remove: (signal: AbortSignal) => Promise<void>;
  readonly #end = new AbortController();
  readonly #renewing: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #writtenAt = Date.now();
  #longestGapMs = 0;

  constructor(
    write: (signal: AbortSignal) => Promise<void>,
    remove: (signal: AbortSignal) => Promise<void>,
  ) {
    this.#write = write;
    this.#remove = remove;
    this.#renewing = setInterval(() => {
      // A place that has stopped answering gets no more of them.
      if (!this.#isWriting) this.renew().catch(() => undefined);
    }, renewEveryMs);
    this.#renewing.unref();
  }

  async renew(): Promise<void> {
    const before = Date.now();
    this.#isWriting = true;
    const written = this.#write(this.#end.signal).finally(() => {
      this.#isWriting = false;
    });
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
    const timer = setTimeout(() => this.#end.abort(new Error('too slow')), removeWithinMs);
    // Otherwise the mark could appear again after it was removed.
    await this.#writing;
    // A mark that stays expires. The work is done, or its own error says more.
    await this.#remove(this.#end.signal).catch(() => undefined);
    clearTimeout(timer);
  }

  #noteGap(): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, Math.abs(Date.now() - this.#writtenAt));
  }
}
