import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cacheFilePath, readCacheFile, writeCacheFile } from './cache-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podstead-kept-'));
});
afterEach(() => rm(folder, { recursive: true }));

const content = Buffer.from('what took long to make');

it('reads a cached file, also if two processes write it', async () => {
  const file = cacheFilePath('thing', [1, 'a'], join(folder, 'new'));
  expect(await readCacheFile(file)).toBeUndefined();
  await Promise.all([writeCacheFile(file, content), writeCacheFile(file, content)]);
  expect(await readCacheFile(file)).toEqual(content);
  expect(await readdir(join(folder, 'new'))).toHaveLength(1);
});

it('readCacheFile does not read a damaged file', async () => {
  const file = cacheFilePath('thing', [1], folder);
  await writeCacheFile(file, content);
  const bytes = await readFile(file);
  for (const damaged of [bytes.subarray(0, -1), bytes.subarray(0, 10), Buffer.alloc(0)]) {
    await writeFile(file, damaged);
    expect(await readCacheFile(file)).toBeUndefined();
  }
});

it('removes only old files of its kind', async () => {
  const [old, other] = [cacheFilePath('thing', [1], folder), cacheFilePath('other', [1], folder)];
  for (const file of [old, other]) {
    await writeCacheFile(file, content);
    await utimes(file, 0, 0);
  }
  const recent = cacheFilePath('thing', [2], folder);
  await writeCacheFile(recent, content);
  const file = cacheFilePath('thing', [3], folder);
  await writeCacheFile(file, content);
  expect(await readCacheFile(old)).toBeUndefined();
  for (const left of [other, recent, file]) expect(await readCacheFile(left)).toEqual(content);
});

it('keeps a file although another one disappears meanwhile', async () => {
  const file = cacheFilePath('thing', [1], folder);
  // It is listed but cannot be found, like the partial file that another process renames.
  await symlink(join(folder, 'none'), join(folder, 'thing-0.1'));
  await writeCacheFile(file, content);
  expect(await readCacheFile(file)).toEqual(content);
});

it('rejects if nothing can be written', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(
    writeCacheFile(cacheFilePath('thing', [1], join(folder, 'file')), content),
  ).rejects.toThrow();
});
