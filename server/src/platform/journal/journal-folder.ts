import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../blob-store/durable-file.ts';
import { type FileLock, tryLockFile } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';

const lockName = 'lock';
/** Only folders with such names are touched in the common folder. */
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

  /** Creates a folder below `parent`. Only this user can open them. */
  static async create(parent: string, id: string): Promise<JournalFolder> {
    const path = join(parent, id);
    await makeFolder(path, 0o700);
    const lock = tryLockFile(join(path, lockName));
    // Another process has locked it, because it looks abandoned, and removes it.
    if (lock === undefined) throw new Error(`the folder ${path} is in use`);
    await syncFolder(parent);
    return new JournalFolder(id, path, lock);
  }

  /** Locks the folders of ended processes. Calls `report` for those that cannot be locked. */
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

  /** Removes the folder with its content. */
  async remove(): Promise<void> {
    try {
      await rm(this.path, { recursive: true, force: true });
    } catch (error) {
      // Another process has just tested the lock. It will remove the rest.
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

/** An error is ignored if another process has just removed the folder. */
async function isFolder(path: string): Promise<boolean> {
  return await readdir(path).then(
    () => true,
    () => false,
  );
}
