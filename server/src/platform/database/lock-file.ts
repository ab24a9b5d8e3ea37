import { type Stats, statSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../files/make-folder.ts';

/** Another process has the database of this folder open. */
export class DatabaseInUseError extends Error {
  constructor(folder: string, pid: string | undefined) {
    super(`the database in ${folder} is in use by ${pid ? `process ${pid}` : 'another process'}`);
    this.name = 'DatabaseInUseError';
  }
}

interface LockOptions {
  /** Called when the file is gone: another process may have taken the folder. */
  readonly onLost: () => void;
  /** How often to check that. */
  readonly watchMs?: number;
}

const LOCK = 'lock';
/** Only for the error message. */
const OWNER = 'lock.owner';
const WATCH_MS = 2_000;
const SQLITE_BUSY = 5;

/**
 * Locks a folder for this user only. Throws DatabaseInUseError while another process, or this one,
 * has the lock. It is an operating system lock on the file `lock`, so it is the same by every path
 * to the folder, a copy of the folder has its own, and it ends with its process. Node cannot lock
 * files, but includes SQLite, which can; nothing is written to the file.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<AsyncDisposable> {
  await makeFolder(folder, 0o700);
  await chmod(folder, 0o700);
  const path = join(folder, LOCK);
  const lock = lockFile(path);
  if (lock === undefined) throw new DatabaseInUseError(folder, await readOwner(folder));
  const own = statSync(path);
  await writeFile(join(folder, OWNER), String(process.pid)).catch(() => undefined);
  const watch = setInterval(async () => {
    // Referenced here, so that the lock lives as long as the watch: SQLite unlocks unused files.
    if (lock.isOpen && (await isStill(path, own))) return;
    clearInterval(watch);
    options.onLost();
  }, options.watchMs ?? WATCH_MS);
  watch.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      lock.close();
    },
  };
}

/** undefined: another process has the lock. */
function lockFile(path: string): DatabaseSync | undefined {
  const file = new DatabaseSync(path);
  try {
    file.exec('begin exclusive');
    return file;
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw new Error(`${path} cannot be locked: ${(error as Error).message}`, { cause: error });
  }
}

/** False only if the file is known to be missing or another one. */
async function isStill(path: string, { dev, ino }: Stats): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.dev === dev && found.ino === ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

async function readOwner(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, OWNER), 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? text : undefined;
}
