import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

/** A lock of the operating system on a file: it ends with its process. */
export interface FileLock extends Disposable {
  /** False only if the file is known to be missing or another one: others may have its lock. */
  isStillThere(): Promise<boolean>;
}

const sqliteBusy = 5;

/**
 * Creates and locks a file. Undefined: another process, or this one, has its lock, or removes it at
 * this moment. The lock is the same by every path to the file, also when it is moved; a copy of the
 * file has its own. Node cannot lock files, but includes SQLite, which can; nothing is written.
 * Nothing else in this process may open the file: closing it would end the lock.
 */
export function tryLockFile(path: string): FileLock | undefined {
  const file = new DatabaseSync(path);
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw new Error(`${path} cannot be locked: ${(error as Error).message}`, { cause: error });
  }
  const own = statSync(path, { throwIfNoEntry: false });
  if (own === undefined) {
    file.close();
    return undefined;
  }
  return {
    // Refers to the open file, so that the lock lives as long as its owner: SQLite unlocks unused files.
    isStillThere: async () => file.isOpen && (await isSame(path, own)),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

async function isSame(path: string, { dev, ino }: { dev: number; ino: number }): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.dev === dev && found.ino === ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
