import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '../../lib/undefined-if-missing.ts';
import { syncFolder } from '../blob-store/durable-file.ts';
import { type FileLock, tryLockFile } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';

const lockName = 'lock';
/**
 * An id and the format of the lines; format 1 is not named. Only folders with such names are touched
 * in the common folder.
 */
const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([1-9]\d{0,8}))?$/;

interface JournalName {
  readonly id: string;
  readonly format: number;
}

const nameOf = ({ id, format }: JournalName) => (format === 1 ? id : `${id}.${format}`);

function tryParseName(name: string): JournalName | undefined {
  const [, id, format = '1'] = namePattern.exec(name) ?? [];
  return id === undefined ? undefined : { id, format: Number(format) };
}

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
  static async create(parent: string, name: JournalName): Promise<JournalFolder> {
    const path = join(parent, nameOf(name));
    await makeFolder(path, 0o700);
    const lock = tryLockFile(join(path, lockName));
    // Another process has locked it, because it looks abandoned, and removes it.
    if (lock === undefined) throw new Error(`the folder ${path} is in use`);
    await syncFolder(parent);
    return new JournalFolder(name.id, path, lock);
  }

  /**
   * Locks the folders of ended processes, up to the format of this one. Calls `report` for those that
   * cannot be locked. `newerBytes`: the size of the folders of ended processes with higher formats.
   */
  static async adopt(
    parent: string,
    own: JournalName,
    report: (error: unknown) => void,
  ): Promise<{ readonly adopted: readonly JournalFolder[]; readonly newerBytes: number }> {
    const adopted: JournalFolder[] = [];
    let newerBytes = 0;
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      const name = entry.isDirectory() ? tryParseName(entry.name) : undefined;
      if (name === undefined || name.id === own.id) continue;
      const path = join(parent, entry.name);
      try {
        if (name.format > own.format) {
          newerBytes += await measureIfAbandoned(path);
          continue;
        }
        const lock = tryLockFile(join(path, lockName));
        if (lock !== undefined) adopted.push(new JournalFolder(name.id, path, lock));
      } catch (error) {
        if (await isFolder(path)) report(error);
      }
    }
    return { adopted, newerBytes };
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

/** The size of a folder's files; 0 if its process lives. It is locked only for this moment. */
async function measureIfAbandoned(path: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(path)) {
    if (name === lockName) continue;
    // A living process removes what it has counted.
    const file = await stat(join(path, name)).catch(undefinedIfMissing);
    bytes += file?.size ?? 0;
  }
  // Nobody may remove a folder while it is locked, so an empty one is not touched.
  if (bytes === 0) return 0;
  using lock = tryLockFile(join(path, lockName));
  return lock === undefined ? 0 : bytes;
}

/** An error is ignored if another process has just removed the folder. */
async function isFolder(path: string): Promise<boolean> {
  return await readdir(path).then(
    () => true,
    () => false,
  );
}
