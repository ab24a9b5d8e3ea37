import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { livenessOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** Another process has the database of this folder open. */
export class DatabaseInUseError extends Error {
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`the database in ${folder} is in use by process ${pid}`);
    this.name = 'DatabaseInUseError';
    this.pid = pid;
  }
}

interface LockOptions {
  /** Called when the file is gone: another process may have taken the folder for its own. */
  readonly onLost: () => void;
  /** How often the file is touched; an owner that cannot be seen is given up after five misses. */
  readonly heartbeatMs?: number;
}

const NAME = /^lock\.(\d+)$/;
const RELEASED = 'released';
const HEARTBEAT_MS = 2_000;
const MISSED_HEARTBEATS = 5;

/**
 * Takes the lock of a folder. Throws DatabaseInUseError while a live process has it.
 *
 * Each owner makes a file of its own, `lock.<n>`, one higher than the last; the highest counts. A
 * file is made by one process alone (O_EXCL) and the highest is never removed, so of several that
 * find an owner dead only one becomes the next.
 */
export async function takeLock(folder: string, options: LockOptions): Promise<AsyncDisposable> {
  const { heartbeatMs = HEARTBEAT_MS, onLost } = options;
  const own = ownIdentity();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const last = (await lockNumbers(folder)).at(-1) ?? 0;
    await assertFree(folder, last, heartbeatMs);
    const path = pathOf(folder, last + 1);
    if (!(await createExclusively(path, JSON.stringify(own)))) continue;
    const numbers = await lockNumbers(folder);
    if (numbers.at(-1) === last + 1) {
      await removeLocks(folder, numbers.slice(0, -1));
      return holdLock(path, onLost, heartbeatMs);
    }
    // Others had gone further since `last` was seen.
    await removeLocks(folder, [last + 1]);
  }
}

function holdLock(path: string, onLost: () => void, heartbeatMs: number): AsyncDisposable {
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return;
      clearInterval(heartbeat);
      onLost();
    });
  }, heartbeatMs);
  heartbeat.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat);
      await release(path).catch(ifMissing(undefined));
    },
  };
}

/** The file stays, as the highest, and is never half written. */
async function release(path: string): Promise<void> {
  await writeFile(`${path}.released`, RELEASED);
  await rename(`${path}.released`, path);
}

async function assertFree(folder: string, number: number, heartbeatMs: number): Promise<void> {
  const path = pathOf(folder, number);
  const seen = await readOwner(path);
  if (seen === 'nobody') return;
  const liveness = seen === 'unnamed' ? 'unknown' : livenessOf(seen);
  if (liveness === 'dead') return;
  if (liveness === 'unknown' && !(await isTouched(path, heartbeatMs))) return;
  const owner = await readOwner(path);
  if (owner !== 'nobody') throw new DatabaseInUseError(folder, owner === 'unnamed' ? 0 : owner.pid);
}

/** Whether an owner who cannot be seen, or has not written its name yet, gives a sign of life. */
async function isTouched(path: string, heartbeatMs: number): Promise<boolean> {
  const before = await modifiedAt(path);
  for (let missed = 0; missed < MISSED_HEARTBEATS; missed += 1) {
    await sleep(heartbeatMs);
    if ((await modifiedAt(path)) !== before) return true;
  }
  return false;
}

async function createExclusively(path: string, content: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx');
    await file.writeFile(content);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** 'unnamed': the file has just been made, or its owner died in that moment. */
async function readOwner(path: string): Promise<ProcessIdentity | 'nobody' | 'unnamed'> {
  const content = await readFile(path, 'utf8').catch(ifMissing(RELEASED));
  if (content === RELEASED) return 'nobody';
  try {
    return JSON.parse(content) as ProcessIdentity;
  } catch {
    return 'unnamed';
  }
}

async function lockNumbers(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN));
  return numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b);
}

async function removeLocks(folder: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) await rm(pathOf(folder, number), { force: true });
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return await stat(path).then(({ mtimeMs }) => mtimeMs, ifMissing(undefined));
}

function ifMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}

function pathOf(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}
