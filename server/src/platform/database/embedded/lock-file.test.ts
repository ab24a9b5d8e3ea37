import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseInUseError, takeLock } from './lock-file.ts';

const onLost = () => {
  throw new Error('lost the lock');
};
const lockModule = new URL('./lock-file.ts', import.meta.url).href;

let parent: string;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'podstead-lock-'));
  folder = join(parent, 'database');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(parent, { recursive: true });
});

/** A process that takes the lock, prints the result, and holds the lock until it is killed. */
async function startHolder(path = folder): Promise<{ outcome: string; child: ChildProcess }> {
  const code = `
    const { takeLock } = await import(${JSON.stringify(lockModule)});
    setInterval(() => {}, 1e6);
    takeLock(${JSON.stringify(path)}, { onLost() {} }).then(
      () => process.stdout.write('taken'),
      (error) => process.stdout.write(error.name),
    );`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [output] = (await once(child.stdout!, 'data')) as [Buffer];
  return { outcome: output.toString(), child };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('takeLock', () => {
  test('refuses a folder that a live process has locked, and names the process', async () => {
    const { child } = await startHolder();
    await expect(takeLock(folder, { onLost })).rejects.toThrow(DatabaseInUseError);
    await expect(takeLock(folder, { onLost })).rejects.toThrow(`by process ${child.pid}`);
  });

  test('refuses every second lock within one process', async () => {
    await using _held = await takeLock(folder, { onLost });
    await expect(takeLock(folder, { onLost })).rejects.toThrow(`by process ${process.pid}`);
    await expect(takeLock(folder, { onLost })).rejects.toThrow(DatabaseInUseError);
    expect((await startHolder()).outcome).toBe('DatabaseInUseError');
  });

  test('locks a released folder, any number of times', async () => {
    for (let round = 0; round < 3; round += 1) {
      await using _held = await takeLock(folder, { onLost });
    }
  });

  test('makes the folder private', async () => {
    await mkdir(folder);
    await chmod(folder, 0o755);
    await using _held = await takeLock(folder, { onLost });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('takes over the lock of a killed process', async () => {
    const { child } = await startHolder();
    await kill(child);
    await using _held = await takeLock(folder, { onLost });
  });

  test('lets only one of several processes take over from a dead owner', async () => {
    const { child } = await startHolder();
    await kill(child);
    const outcomes = (await Promise.all([1, 2, 3, 4].map(() => startHolder()))).map(
      (holder) => holder.outcome,
    );
    expect(outcomes.sort()).toEqual([...Array(3).fill('DatabaseInUseError'), 'taken']);
  });

  test('recognizes the folder by any path, and after it was moved', async () => {
    await startHolder();
    await symlink(folder, join(parent, 'link'));
    await expect(takeLock(join(parent, 'link'), { onLost })).rejects.toThrow(DatabaseInUseError);
    await rename(folder, join(parent, 'moved'));
    await expect(takeLock(join(parent, 'moved'), { onLost })).rejects.toThrow(DatabaseInUseError);
  });

  test('locks a copy of a locked folder', async () => {
    const { child } = await startHolder();
    const copy = join(parent, 'copy');
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    await using _held = await takeLock(copy, { onLost });
    await expect(takeLock(folder, { onLost })).rejects.toThrow(`by process ${child.pid}`);
    await expect(takeLock(copy, { onLost })).rejects.toThrow(`by process ${process.pid}`);
  });

  test('tells the owner when its lock file is gone', async () => {
    const lost = Promise.withResolvers<void>();
    await using _held = await takeLock(folder, { onLost: lost.resolve, watchMs: 1 });
    await rm(join(folder, 'lock'));
    await lost.promise;
  });

  test('gives the reason if a file cannot be locked', async () => {
    await writeFile(folder, '');
    await expect(takeLock(folder, { onLost })).rejects.toThrow(
      'there is something else with its name',
    );
  });
});
