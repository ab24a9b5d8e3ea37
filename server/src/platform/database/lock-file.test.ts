import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseInUseError, takeLock } from './lock-file.ts';
import { livenessOf, ownIdentity } from './process-identity.ts';

const onLost = () => {
  throw new Error('lost the lock');
};
const lockModule = new URL('./lock-file.ts', import.meta.url).href;
const elsewhere = { pid: 1, startedAtTicks: '1', place: 'another machine' };

let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** A process that takes the lock, says how that went, and holds it until it is killed. */
async function startHolder(): Promise<{ outcome: string; child: ChildProcess }> {
  const code = `
    const { takeLock } = await import(${JSON.stringify(lockModule)});
    setInterval(() => {}, 1e6);
    takeLock(${JSON.stringify(folder)}, { onLost() {} }).then(
      () => process.stdout.write('taken'),
      (error) => process.stdout.write(error.name + ' ' + error.pid),
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
  test('refuses a folder that a live process has, and names it', async () => {
    const { child } = await startHolder();
    await expect(takeLock(folder, { onLost })).rejects.toThrow(DatabaseInUseError);
    await expect(takeLock(folder, { onLost })).rejects.toMatchObject({ pid: child.pid });
  });

  test('refuses a second time within one process', async () => {
    await using _held = await takeLock(folder, { onLost });
    await expect(takeLock(folder, { onLost })).rejects.toMatchObject({ pid: process.pid });
  });

  test('takes a folder that was given back, any number of times', async () => {
    for (let round = 0; round < 3; round += 1) {
      await using _held = await takeLock(folder, { onLost });
    }
    expect(await readdir(folder)).toEqual(['lock.3']);
  });

  test('takes over from a process that was killed', async () => {
    const { child } = await startHolder();
    await kill(child);
    await using _held = await takeLock(folder, { onLost });
    expect(await readFile(join(folder, 'lock.2'), 'utf8')).toContain(`"pid":${process.pid}`);
  });

  test('does not take another process with the same number for the owner', async () => {
    const recycled = { ...ownIdentity(), startedAtTicks: '1' };
    await writeFile(join(folder, 'lock.1'), JSON.stringify(recycled));
    await using _held = await takeLock(folder, { onLost });
  });

  test('of several that find a dead owner, one alone takes over', async () => {
    const { child } = await startHolder();
    await kill(child);
    const outcomes = (await Promise.all([1, 2, 3, 4].map(startHolder))).map((h) => h.outcome);
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.startsWith('DatabaseInUse'))).toHaveLength(3);
  });

  test('an owner that cannot be seen is given up when it shows no sign of life', async () => {
    await writeFile(join(folder, 'lock.1'), JSON.stringify(elsewhere));
    await using _held = await takeLock(folder, { onLost, heartbeatMs: 1 });
    expect(await readdir(folder)).toEqual(['lock.2']);
  });

  test('an owner that cannot be seen but shows signs of life is respected', async () => {
    const path = join(folder, 'lock.1');
    await writeFile(path, JSON.stringify(elsewhere));
    let seconds = 0;
    const owner = setInterval(() => {
      seconds += 1;
      // At once: its turn comes before that of the watch, however late both are.
      utimesSync(path, seconds, seconds);
    }, 5);
    try {
      await expect(takeLock(folder, { onLost, heartbeatMs: 50 })).rejects.toMatchObject({ pid: 1 });
    } finally {
      clearInterval(owner);
    }
  });

  test('a file whose owner died before it wrote its name holds nobody up for long', async () => {
    await writeFile(join(folder, 'lock.1'), '');
    await using _held = await takeLock(folder, { onLost, heartbeatMs: 1 });
  });

  test('an owner is told when its file is gone', async () => {
    const lost = Promise.withResolvers<void>();
    await using _held = await takeLock(folder, { onLost: lost.resolve, heartbeatMs: 1 });
    await rm(join(folder, 'lock.1'));
    await lost.promise;
  });
});

describe('livenessOf', () => {
  test('this process is alive, and one that is gone is dead', async () => {
    expect(livenessOf(ownIdentity())).toBe('alive');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(livenessOf({ ...ownIdentity(), pid: child.pid! })).toBe('dead');
  });

  test('of another place nothing is known', () => {
    expect(livenessOf({ ...ownIdentity(), place: 'elsewhere' })).toBe('unknown');
  });
});
