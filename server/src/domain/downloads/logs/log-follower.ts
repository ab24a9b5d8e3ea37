import { stat } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { createLineReader } from './create-line-reader.ts';
import { openLogFile } from './log-file.ts';
import { findLogPlace } from './log-place.ts';
import { LogTail, type TailOptions } from './log-tail.ts';
import { listRotatedFiles } from './rotated-files.ts';

/** A server may write to a renamed log until it has opened the new one. */
const lingerMs = 60_000;

interface RetiredTail {
  readonly tail: LogTail;
  readonly untilMs: number;
}

/**
 * Follows a log across rotation, whether it is renamed, or copied and emptied, also while no
 * process followed it. The position in each file is found by its content, so the order of names
 * does not matter.
 */
export class LogFollower implements AsyncDisposable {
  readonly #path: string;
  readonly #options: TailOptions;
  readonly #nowMs: () => number;
  #tail: LogTail | undefined;
  #retired: readonly RetiredTail[] = [];

  constructor(path: string, options: TailOptions, nowMs: () => number = () => performance.now()) {
    this.#path = path;
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /**
   * Counts new lines since the last call. `since`: the result of the last call, perhaps of another
   * process; null: nobody has followed a log under this name. Throws ENOENT if the log is missing.
   */
  async readOn(ctx: Context, since: Date | null): Promise<Date | null> {
    await this.#readRetired(ctx);
    const present = await stat(this.#path).catch(async (error: unknown) => {
      // A rotation renames first. Its last lines are still written to the renamed file.
      await this.#tail?.readOn(ctx, this.#options);
      throw error;
    });
    if (this.#tail !== undefined && !this.#tail.isFile(present)) await this.#retire(ctx);
    if (this.#tail === undefined) {
      const from = since ?? (await findLastRead(ctx, this.#path));
      if (from !== undefined) await this.#readRotated(ctx, from);
      this.#tail = await LogTail.open(this.#path);
    }
    const read = await this.#tail.readOn(ctx, this.#options);
    if (read !== undefined) return read.modifiedAt;
    await this.#close();
    return await this.readOn(ctx, since);
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

  async #retire(ctx: Context): Promise<void> {
    if (this.#tail === undefined) return;
    await this.#tail.readOn(ctx, this.#options);
    this.#retired = [...this.#retired, { tail: this.#tail, untilMs: this.#nowMs() + lingerMs }];
    this.#tail = undefined;
  }

  async #readRetired(ctx: Context): Promise<void> {
    for (const { tail } of this.#retired) await tail.readOn(ctx, this.#options);
    const [ended, kept] = [[] as RetiredTail[], [] as RetiredTail[]];
    for (const retired of this.#retired) {
      (retired.untilMs <= this.#nowMs() ? ended : kept).push(retired);
    }
    this.#retired = kept;
    for (const { tail } of ended) await tail[Symbol.asyncDispose]();
  }

  async #readRotated(ctx: Context, since: Date): Promise<void> {
    for (const { path, stats } of await listRotatedFiles(this.#path, since)) {
      if (this.#retired.some(({ tail }) => tail.isFile(stats))) continue;
      await using tail = await LogTail.open(path);
      await tail.readOn(ctx, this.#options);
    }
  }
}

/**
 * The last change of the newest rotated file of which lines were counted, perhaps on a machine with
 * another name, as each container has. Undefined: there is none. Then the log is followed for the
 * first time, and files before it are left alone: their days may have been counted otherwise.
 */
async function findLastRead(ctx: Context, log: string): Promise<Date | undefined> {
  const rotated = await listRotatedFiles(log, new Date(0));
  for (const { path, stats } of rotated.reverse()) {
    if (await isPartlyRead(ctx, path)) return stats.mtime;
  }
  return undefined;
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
