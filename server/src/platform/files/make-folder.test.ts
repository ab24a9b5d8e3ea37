import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderError, makeFolder, makeFolderSync } from './make-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

const ways = [
  ['makeFolder', async (path: string, mode?: number) => void (await makeFolder(path, mode))],
  ['makeFolderSync', async (path: string, mode?: number) => makeFolderSync(path, mode)],
] as const;

describe.each(ways)('%s', (_, make) => {
  it('creates the folder and its parents with the mode', async () => {
    const path = join(folder, 'a/b/c');
    await make(path, 0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700);
  });

  it('accepts an existing folder, also through a link', async () => {
    await make(folder);
    await symlink(folder, join(folder, 'link'));
    await make(join(folder, 'link'));
    await make(join(folder, 'link/new'));
    expect(existsSync(join(folder, 'new'))).toBe(true);
  });

  it.skipIf(!existsSync('/proc/self'))('refuses if the folder cannot be created', async () => {
    await expect(make('/proc/nope')).rejects.toThrow(
      'the folder /proc/nope cannot be created: its file system does not allow it',
    );
    await expect(make('/proc/nope/below/it')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses a file at its path or above it', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(make(file)).rejects.toThrow('there is something else with its name');
    await expect(make(join(file, 'x/y'))).rejects.toThrow('a part of its path is not a folder');
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
    await expect(make(join(folder, 'dangling'))).rejects.toThrow(FolderError);
  });
});

describe('makeFolder', () => {
  it('returns the first folder that it created', async () => {
    expect(await makeFolder(join(folder, 'a/b/c'))).toBe(join(folder, 'a'));
    expect(await makeFolder(join(folder, 'a/b/d'))).toBe(join(folder, 'a/b/d'));
    expect(await makeFolder(join(folder, 'a/b/d'))).toBeUndefined();
  });

  it('makeFolder can be called concurrently', async () => {
    const path = join(folder, 'a/b/c/d/e');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path)));
    expect(existsSync(path)).toBe(true);
  });
});
