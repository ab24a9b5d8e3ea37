import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { earliest } from '../../lib/time.ts';
import { undefinedIfMissing } from '../../lib/undefined-if-missing.ts';
import { openRegularFile } from '../files/open-regular-file.ts';
import type { Segment } from './journal.ts';

const namePattern = /^(\d{1,15})-([0-9a-f-]{36})\.lines$/;
const lineEnd = 0x0a;

/** A segment on disk. Its file name contains its id and its start time. */
export class SegmentFile implements Segment {
  readonly id: string;
  readonly startedAt: Date;
  readonly #path: string;
  readonly #siblings: SegmentFiles;
  #handle: FileHandle | undefined;
  #sizeBytes: number;
  #earliestAt: Date | undefined;
  #isSynced = true;

  private constructor(place: SegmentPlace, id: string, startedAt: Date, sizeBytes: number) {
    this.#path = place.path;
    this.#siblings = place.siblings;
    this.id = id;
    this.startedAt = startedAt;
    this.#sizeBytes = sizeBytes;
    place.siblings.add(this);
  }

  /** Creates an empty segment, which is in `siblings` until it is removed. */
  static async create(
    folder: string,
    siblings: SegmentFiles,
    startedAt: Date,
  ): Promise<SegmentFile> {
    const id = randomUUID();
    const path = join(folder, `${startedAt.getTime()}-${id}.lines`);
    const handle = await open(path, 'wx', 0o600);
    const segment = new SegmentFile({ path, siblings }, id, startedAt, 0);
    segment.#handle = handle;
    return segment;
  }

  /** The remaining segments of an ended process, in the order of their start. */
  static async list(folder: string): Promise<SegmentFiles> {
    const names = (await readdir(folder)).flatMap((name) => {
      const [, startedMs, id] = namePattern.exec(name) ?? [];
      if (startedMs === undefined || id === undefined) return [];
      return [{ path: join(folder, name), id, startedMs: Number(startedMs) }];
    });
    const siblings = new SegmentFiles();
    for (const { path, id, startedMs } of names.sort((a, b) => a.startedMs - b.startedMs)) {
      const { size } = await stat(path);
      new SegmentFile({ path, siblings }, id, new Date(startedMs), size);
    }
    return siblings;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The earliest time that a line is about; undefined if another process wrote the lines. */
  get earliestAt(): Date | undefined {
    return this.#earliestAt;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Writes all lines. If that fails, rejects, and restores the file if the disk allows it. */
  async write(lines: Buffer, earliestAt: Date): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined) throw new Error(`${this.#path} is complete`);
    try {
      for (let done = 0; done < lines.length; ) {
        const { bytesWritten } = await handle.write(
          lines,
          done,
          lines.length - done,
          this.#sizeBytes + done,
        );
        done += bytesWritten;
      }
    } catch (error) {
      await handle.truncate(this.#sizeBytes).catch(() => undefined);
      throw error;
    }
    this.#sizeBytes += lines.length;
    this.#siblings.grow(this, lines.length);
    this.#isSynced = false;
    this.#earliestAt = earliest([this.#earliestAt, earliestAt]);
  }

  /** Makes written lines safe from a power failure. No effect if the file was removed. */
  async sync(): Promise<void> {
    if (this.#isSynced) return;
    this.#isSynced = true;
    await using handle = await open(this.#path, 'r').catch(undefinedIfMissing);
    await handle?.datasync();
  }

  /** Closes the segment for further lines. */
  async complete(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async readLines(): Promise<readonly string[] | undefined> {
    await using file = await openRegularFile(this.#path).catch(undefinedIfMissing);
    if (file === undefined) return undefined;
    const bytes = await file.readFile();
    const end = bytes.lastIndexOf(lineEnd);
    return end < 0 ? [] : bytes.toString('utf8', 0, end).split('\n');
  }

  async remove(): Promise<void> {
    this.#isSynced = true;
    this.#siblings.delete(this);
    await rm(this.#path, { force: true });
  }
}

interface SegmentPlace {
  readonly path: string;
  readonly siblings: SegmentFiles;
}

/** The segments of a journal that are not removed yet. */
export class SegmentFiles {
  readonly #all = new Set<SegmentFile>();
  #sizeBytes = 0;

  get all(): ReadonlySet<SegmentFile> {
    return this.#all;
  }

  /** Every line that is appended asks for it, and there may be a thousand segments. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(segment: SegmentFile): void {
    this.#all.add(segment);
    this.#sizeBytes += segment.sizeBytes;
  }

  /** Call it when bytes were added to a segment; it may have been removed since. */
  grow(segment: SegmentFile, bytes: number): void {
    if (this.#all.has(segment)) this.#sizeBytes += bytes;
  }

  delete(segment: SegmentFile): void {
    if (this.#all.delete(segment)) this.#sizeBytes -= segment.sizeBytes;
  }
}
