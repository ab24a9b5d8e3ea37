import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { undefinedIfMissing } from '../../../../lib/undefined-if-missing.ts';
import type { Context } from '../../../foundation/context.ts';
import { DomainError } from '../../../foundation/errors.ts';
import { createLineReader } from './create-line-reader.ts';
import { openLogFile } from './log-file.ts';
import { findLogPlace } from './log-place.ts';
import { LogTail, type TailOptions } from './log-tail.ts';
import { listRotatedFiles, type RotatedFile } from './rotated-files.ts';

/** Files whose last changes are so close may have got their last lines at the same time. */
const togetherMs = 60_000;

interface FollowerOptions extends TailOptions {
  /**
   * Since when this log is to be followed: nothing else has counted its requests since. Files that
   * were rotated later are read, also if no process could read the log until now.
   */
  readonly followedSince?: Date | null;
}

/**
 * Follows a log across rotation, whether it is renamed, or copied and emptied, also while no
 * process followed it. The position in each file is found by its content, so the order of names
 * does not matter.
 */
export class LogFollower implements AsyncDisposable {
  readonly #path: string;
  readonly #options: FollowerOptions;
  readonly #nowMs: () => number;
  #tail: LogTail | undefined;
  #retired: readonly RetiredLog[] = [];
  /** Rotated files that were read to their end: to find it again, all of a file must be read. */
  readonly #finished = new Set<string>();
  /** From when on rotated files are read, if `since` does not tell; null: none. Undefined: unknown. */
  #start: Date | null | undefined;

  constructor(
    path: string,
    options: FollowerOptions,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#path = path;
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /**
   * Counts new lines since the last call. `since`: the result of the last call, perhaps of another
   * process; null: nobody has followed a log under this name. The result: no rotated file that
   * changed before has lines left. Throws ENOENT if the log is missing.
   */
  async readOn(ctx: Context, since: Date | null): Promise<Date | null> {
    await this.#readRetired(ctx);
    const present = await stat(this.#path).catch(async (error: unknown) => {
      // A rotation renames first. Its last lines are still written to the renamed file.
      await this.#tail?.readOn(ctx, this.#options);
      throw error;
    });
    if (this.#tail !== undefined && !this.#tail.isFile(present)) await this.#retire(ctx);
    this.#tail ??= await this.#openFirst(ctx, since);
    const read = await this.#tail.readOn(ctx, this.#options);
    if (read === undefined) {
      await this.#close();
      return await this.readOn(ctx, since);
    }
    // Nothing tells later whether a file without lines was emptied in between: it is opened again.
    if (!this.#tail.hasLines) await this.#close();
    // Files that are created after `stat` change after this, also if the next rotation renames them
    // at once.
    return [present.mtime, ...this.#retired.map(({ modifiedAt }) => modifiedAt)].reduce(
      (first, time) => (time < first ? time : first),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    for (const { tail } of this.#retired) await tail[Symbol.asyncDispose]();
    this.#retired = [];
  }

  async #close(): Promise<void> {
    const tail = this.#tail;
    this.#tail = undefined;
    await tail?.[Symbol.asyncDispose]();
  }

  /** Opens the log before it lists rotated files, so a rotation in between hides none. */
  async #openFirst(ctx: Context, since: Date | null): Promise<LogTail> {
    await using opened = new AsyncDisposableStack();
    const tail = opened.use(await LogTail.open(this.#path));
    const from = since ?? (await this.#findStart(ctx));
    if (from !== null) await this.#readRotated(ctx, from, tail);
    opened.move();
    this.#start = undefined;
    return tail;
  }

  /** Remembers it until rotated files are read: it is requested again after each error. */
  async #findStart(ctx: Context): Promise<Date | null> {
    if (this.#start === undefined) {
      const lastRead = await findLastRead(ctx, this.#path);
      this.#start = lastRead ?? this.#options.followedSince ?? null;
    }
    return this.#start;
  }

  async #retire(ctx: Context): Promise<void> {
    const tail = this.#tail;
    if (tail === undefined) return;
    const read = await tail.readOn(ctx, this.#options);
    this.#tail = undefined;
    if (read === undefined) await tail[Symbol.asyncDispose]();
    else this.#retired = [...this.#retired, new RenamedLog(tail, read.modifiedAt, this.#nowMs())];
  }

  async #readRetired(ctx: Context): Promise<void> {
    const nowMs = this.#nowMs();
    for (const retired of this.#retired) {
      try {
        if (await retired.readOn(ctx, this.#options, nowMs)) continue;
      } catch (error) {
        // It may be removed or replaced, so the next attempt looks for it by its name.
        await this.#release(retired);
        await this.#close();
        throw error;
      }
      // Of a file that has grown since, this is another version.
      this.#finished.add(versionOf(retired.tail.identity));
      await this.#release(retired);
    }
  }

  async #release(retired: RetiredLog): Promise<void> {
    this.#retired = this.#retired.filter((other) => other !== retired);
    await retired.tail[Symbol.asyncDispose]();
  }

  /**
   * Reads rotated files, and keeps those open that a server may still write to. A rotation meanwhile
   * renames files, so they are known by what they are, and listed until none is new.
   */
  async #readRotated(ctx: Context, since: Date, log: LogTail): Promise<void> {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const rotated of await listRotatedFiles(this.#path, since)) {
        if (log.isFile(rotated.stats) || this.#isKnown(rotated)) continue;
        isDone = false;
        await this.#readRotatedFile(ctx, rotated, since);
      }
    }
  }

  #isKnown({ stats }: RotatedFile): boolean {
    return (
      this.#finished.has(versionOf(stats)) || this.#retired.some(({ tail }) => tail.isFile(stats))
    );
  }

  async #readRotatedFile(ctx: Context, { path }: RotatedFile, since: Date): Promise<void> {
    await using opened = new AsyncDisposableStack();
    const tail = await LogTail.open(path).catch(undefinedIfMissing);
    if (tail === undefined) return;
    opened.use(tail);
    const { identity } = tail;
    if (await tail.endsEarly()) {
      opened.move();
      // gzip sets the time of the log when it ends, so the file must be found by `since` until then.
      this.#retired = [...this.#retired, new UnfinishedLog(tail, path, since, this.#nowMs())];
      return;
    }
    const read = await tail.readOn(ctx, this.#options);
    if (tail.isCompressed) {
      this.#finished.add(versionOf(identity));
      return;
    }
    opened.move();
    const modifiedAt = read?.modifiedAt ?? identity.mtime;
    this.#retired = [...this.#retired, new RenamedLog(tail, modifiedAt, this.#nowMs())];
  }
}

/**
 * The last change of the newest rotated file of which lines were counted, perhaps on a machine with
 * another name, as each container has. Undefined: there is none. Then files from before the log was
 * to be followed are left alone: their days may have been counted otherwise.
 */
async function findLastRead(ctx: Context, log: string): Promise<Date | undefined> {
  const rotated = await listRotatedFiles(log, new Date(0));
  let first: Date | undefined;
  for (const { path, stats } of rotated.reverse()) {
    if (first !== undefined && first.getTime() - stats.mtimeMs > togetherMs) break;
    if (await isPartlyRead(ctx, path)) first = stats.mtime;
    else if (first !== undefined) break;
  }
  return first;
}

/** False also for a file that this process may not open, or that is damaged. */
async function isPartlyRead(ctx: Context, path: string): Promise<boolean> {
  await using file = await openLogFile(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    return (await findLogPlace(ctx, file, createLineReader()))?.isKnown === true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid') return false;
    throw error;
  }
}

/** A server may write to a renamed log until it has opened the new one. Counted from its last line. */
const lingerMs = 60_000;

/** A rotated file to which somebody may still write. */
interface RetiredLog {
  readonly tail: LogTail;
  /** The file's last change that was read. */
  readonly modifiedAt: Date;
  /** Counts new lines. False: no more come. */
  readOn(ctx: Context, options: TailOptions, nowMs: number): Promise<boolean>;
}

/** A file that was renamed, and is read for some time after its last line. */
class RenamedLog implements RetiredLog {
  readonly tail: LogTail;
  #modifiedAt: Date;
  #untilMs: number;

  constructor(tail: LogTail, modifiedAt: Date, nowMs: number) {
    this.tail = tail;
    this.#modifiedAt = modifiedAt;
    this.#untilMs = nowMs + lingerMs;
  }

  get modifiedAt(): Date {
    return this.#modifiedAt;
  }

  async readOn(ctx: Context, options: TailOptions, nowMs: number): Promise<boolean> {
    const read = await this.tail.readOn(ctx, options);
    this.#modifiedAt = read?.modifiedAt ?? this.#modifiedAt;
    if (read !== undefined && read.bytes > 0) this.#untilMs = nowMs + lingerMs;
    return this.#untilMs > nowMs;
  }
}

/**
 * A compressed file that ends early. It is read as soon as it is complete, or as far as possible if
 * nobody writes to it any more. A part of it must not be read before: its lines may have been read
 * uncompressed, and only the complete file shows that. While the uncompressed file is beside it, as
 * after a killed compression, a part is never read.
 */
class UnfinishedLog implements RetiredLog {
  readonly tail: LogTail;
  readonly modifiedAt: Date;
  readonly #path: string;
  #version: string;
  #untilMs: number;

  /** `modifiedAt`: until the file is complete, it must be found as one that has changed since. */
  constructor(tail: LogTail, path: string, modifiedAt: Date, nowMs: number) {
    this.tail = tail;
    this.modifiedAt = modifiedAt;
    this.#path = path;
    this.#version = versionOf(tail.identity);
    this.#untilMs = nowMs + lingerMs;
  }

  async readOn(ctx: Context, options: TailOptions, nowMs: number): Promise<boolean> {
    const version = versionOf(await this.tail.stat());
    const hasChanged = version !== this.#version;
    if (!hasChanged && this.#untilMs > nowMs) return true;
    if (hasChanged && (await this.tail.endsEarly())) {
      this.#version = version;
      this.#untilMs = nowMs + lingerMs;
      return true;
    }
    if (hasChanged || !(await hasOriginal(this.#path))) await this.tail.readOn(ctx, options);
    return false;
  }
}

/** Whether the file that was to be compressed is still there. */
async function hasOriginal(path: string): Promise<boolean> {
  if (!path.endsWith('.gz')) return false;
  return (await stat(path.slice(0, -'.gz'.length)).catch(undefinedIfMissing)) !== undefined;
}

/** A file that is still written changes its size. */
const versionOf = ({ dev, ino, size, mtimeMs }: Stats): string =>
  `${dev}:${ino}:${size}:${mtimeMs}`;
