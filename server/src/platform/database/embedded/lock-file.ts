import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLockFile } from '../../files/file-lock.ts';
import { makeFolder } from '../../files/make-folder.ts';

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

/**
 * Locks a folder for this user only. Throws DatabaseInUseError while another process, or this one,
 * has the lock, which is on the file `lock`.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<AsyncDisposable> {
  await makeFolder(folder, 0o700);
  await chmod(folder, 0o700);
  const lock = tryLockFile(join(folder, LOCK));
  if (lock === undefined) throw new DatabaseInUseError(folder, await readOwner(folder));
  await writeFile(join(folder, OWNER), String(process.pid)).catch(() => undefined);
  const watch = setInterval(async () => {
    if (await lock.isStillThere()) return;
    clearInterval(watch);
    options.onLost();
  }, options.watchMs ?? WATCH_MS);
  watch.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      lock[Symbol.dispose]();
    },
  };
}

async function readOwner(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, OWNER), 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? text : undefined;
}
