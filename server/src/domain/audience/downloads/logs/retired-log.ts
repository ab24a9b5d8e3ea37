import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { undefinedIfMissing } from '../../../../lib/undefined-if-missing.ts';
import type { Context } from '../../../foundation/context.ts';
import type { LogTail, TailOptions } from './log-tail.ts';

/** A server may write to a renamed log until it has opened the new one. Counted from its last line. */
const lingerMs = 60_000;

/** A rotated file to which somebody may still write. */
export interface RetiredLog {
  readonly tail: LogTail;
  /** The file's last change that was read. */
  readonly modifiedAt: Date;
  /** Counts new lines. False: no more come. */
  readOn(ctx: Context, options: TailOptions, nowMs: number): Promise<boolean>;
}

/** A file that was renamed, and is read for some time after its last line. */
export class RenamedLog implements RetiredLog {
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
export class UnfinishedLog implements RetiredLog {
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
export const versionOf = ({ dev, ino, size, mtimeMs }: Stats): string =>
  `${dev}:${ino}:${size}:${mtimeMs}`;
