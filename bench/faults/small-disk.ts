import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const chunk = Buffer.alloc(1024 * 1024, 1);
const refillMs = 100;

/** Whether file systems can be mounted here. */
export const canMount = process.getuid?.() === 0 && process.platform === 'linux';

/** A small file system in memory, which is filled to the last byte and emptied. */
export class SmallDisk implements AsyncDisposable {
  readonly path: string;
  #refill: NodeJS.Timeout | undefined;

  private constructor(path: string) {
    this.path = path;
  }

  static async mount(
    path: string,
    megabytes: number,
    owner: { readonly uid?: number; readonly gid?: number } = {},
  ): Promise<SmallDisk> {
    await mkdir(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'podstead', path]);
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(path, owner.uid, owner.gid);
    return new SmallDisk(path);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** What others free is filled again, until `empty`. */
  fill(): void {
    this.#fillOnce();
    this.#refill = setInterval(() => this.#fillOnce(), refillMs);
  }

  empty(): void {
    clearInterval(this.#refill);
    rmSync(this.#filler, { force: true });
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }

  #fillOnce(): void {
    const file = openSync(this.#filler, 'a');
    try {
      for (let bytes = chunk.length; bytes > 0; ) {
        try {
          if (writeSync(file, chunk, 0, bytes) === 0) bytes = 0;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          bytes = Math.floor(bytes / 16);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.empty();
    execFileSync('umount', ['--lazy', this.path]);
  }
}
