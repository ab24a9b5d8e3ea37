import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../blob-store/durable-file.ts';
import { type FileLock, tryLockFile } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';

const lockName = 'lock';
/** Nothing else in the common folder is touched. */
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folder of one journal, locked by this process. */
export class JournalFolder implements Disposable {
  readonly id: string;
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(id: string, path: string, lock: FileLock) {
    this.id = id;
    this.path = path;
    this.#lock = lock;
  }

  /** A new folder below `parent`; both are for this user only. */
  static async create(parent: string, id: string): Promise<JournalFolder> {
    const path = join(parent, id);
    await makeFolder(path, 0o700);
    const lock = tryLockFile(join(path, lockName));
    // Another process takes it for one that was left, and removes it.
    if (lock === undefined) throw new Error(`the folder ${path} is in use`);
    await syncFolder(parent);
    return new JournalFolder(id, path, lock);
  }

  /** Locks the folders of processes that have ended. `report` is told of those that cannot be. */
  static async adopt(
    parent: string,
    ownId: string,
    report: (error: unknown) => void,
  ): Promise<JournalFolder[]> {
    const adopted: JournalFolder[] = [];
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      if (!entry.isDirectory() || !idPattern.test(entry.name) || entry.name === ownId) continue;
      const path = join(parent, entry.name);
      try {
        const lock = tryLockFile(join(path, lockName));
        if (lock !== undefined) adopted.push(new JournalFolder(entry.name, path, lock));
      } catch (error) {
        if (await isFolder(path)) report(error);
      }
    }
    return adopted;
  }

  /** With all that is in it. */
  async remove(): Promise<void> {
    try {
      await rm(this.path, { recursive: true, force: true });
    } catch (error) {
      // Another process looked whether this one has ended: it removes what is left.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    } finally {
      this[Symbol.dispose]();
    }
  }

  /** Others may adopt it from now on. */
  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }
}

/** A folder that another process has just removed is no trouble. */
async function isFolder(path: string): Promise<boolean> {
  return await readdir(path).then(
    () => true,
    () => false,
  );
}
