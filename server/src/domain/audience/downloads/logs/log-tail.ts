import type { Stats } from 'node:fs';
import type { Context } from '../../../foundation/context.ts';
import { ReferrerLimit } from '../referrer-limit.ts';
import { createLineReader, type LineReader } from './create-line-reader.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { findLogPlace, LogBusyError, type LogPlace } from './log-place.ts';
import { type LogFault, LogSample, logFaults } from './log-sample.ts';
import { type LogCounts, type ReadOptions, readLog } from './read-log.ts';

/** The last bytes before the position. They show whether a file was emptied and has grown again. */
const checkedBytes = 256;

export interface TailOptions extends Pick<ReadOptions, 'geo' | 'signal' | 'onCommit'> {
  /** After each transaction. */
  readonly onCounts?: ((counts: LogCounts) => void) | undefined;
}

/** An open log that is read again whenever it has grown, under any name. */
export class LogTail implements AsyncDisposable {
  readonly #file: LogFile;
  /** As the file was when it was opened. */
  readonly identity: Stats;
  #readLine: LineReader = createLineReader();
  readonly #referrers = new ReferrerLimit();
  readonly #sample = new LogSample();
  readonly #reportedFaults = new Set<LogFault>();
  #place: LogPlace | undefined;
  #lastBytes: Buffer = Buffer.alloc(0);

  private constructor(file: LogFile, identity: Stats) {
    this.#file = file;
    this.identity = identity;
  }

  static async open(path: string): Promise<LogTail> {
    await using opened = new AsyncDisposableStack();
    const file = opened.use(await openLogFile(path));
    const tail = new LogTail(file, await file.stat());
    opened.move();
    return tail;
  }

  get isCompressed(): boolean {
    return this.#file.isCompressed;
  }

  /** False: it contained no request when it was read. */
  get hasLines(): boolean {
    return this.#place !== undefined;
  }

  /** As the file is now. */
  stat(): Promise<Stats> {
    return this.#file.stat();
  }

  /** True: the file is compressed and incomplete, so it may still be written. */
  endsEarly(): Promise<boolean> {
    return this.#file.endsEarly();
  }

  isFile({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): boolean {
    return this.identity.dev === dev && this.identity.ino === ino;
  }

  /**
   * Counts new lines. Returns the time of the file's last change before that, and the number of new
   * bytes; undefined: the file was emptied, so it is another log now.
   */
  async readOn(
    ctx: Context,
    options: TailOptions,
  ): Promise<{ modifiedAt: Date; bytes: number } | undefined> {
    const { mtime: modifiedAt, size } = await this.#file.stat();
    if (await this.#wasEmptied(size)) return undefined;
    this.#place ??= await findLogPlace(ctx, this.#file, this.#readLine);
    if (this.#place === undefined) return { modifiedAt, bytes: 0 };
    const from = this.#place.readBytes;
    try {
      await readLog(ctx, this.#place, {
        ...options,
        file: this.#file,
        readLine: this.#readLine,
        referrers: this.#referrers,
        sample: this.#sample,
        isWhole: false,
        onProgress: (place, counts) => {
          this.#place = place;
          options.onCounts?.(counts);
        },
      });
    } catch (error) {
      if (!(error instanceof LogBusyError)) throw error;
      // Another process has read it, or the result of our commit was lost: ask the database again.
      this.#place = undefined;
      this.#readLine = createLineReader();
      return await this.readOn(ctx, options);
    }
    this.#reportFaults(ctx);
    await this.#remember();
    return { modifiedAt, bytes: this.#place.readBytes - from };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]();
  }

  /** Logs each fault once for a file. */
  #reportFaults({ log }: Context): void {
    for (const fault of this.#sample.faults) {
      if (this.#reportedFaults.has(fault)) continue;
      this.#reportedFaults.add(fault);
      log.warn({ fault }, logFaults[fault]);
    }
  }

  async #wasEmptied(size: number): Promise<boolean> {
    if (this.#place === undefined || this.#file.isCompressed) return false;
    if (size < this.#place.readBytes) return true;
    return !(await this.#readBefore(this.#lastBytes.length)).equals(this.#lastBytes);
  }

  async #remember(): Promise<void> {
    if (!this.#file.isCompressed) this.#lastBytes = await this.#readBefore(checkedBytes);
  }

  async #readBefore(count: number): Promise<Buffer> {
    const end = this.#place?.readBytes ?? 0;
    return await this.#file.readAt(Math.max(0, end - count), Math.min(count, end));
  }
}
