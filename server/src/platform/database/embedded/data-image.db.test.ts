import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDataImage } from '../../../../test/data-image.ts';
import type { DatabaseLog } from '../database-log.ts';
import { unpackImage } from './image-format.ts';

const logged: string[] = [];
const note = (_fields: object, message: string) => void logged.push(message);
const log: DatabaseLog = { info: note, warn: note, error: note };

// Each image takes a start of the embedded database.
const options = { skip: process.env['TEST_DATABASE'] === 'postgres' };

describe('loadDataImage', options, () => {
  let folder: string;
  let migrations: string;
  let cache: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-image-'));
    [migrations, cache] = [join(folder, 'migrations'), join(folder, 'cache')];
    await mkdir(migrations);
    await writeFile(join(migrations, '0001-a.sql'), 'create table a (id int);');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const load = () => loadDataImage(migrations, log, cache);
  const keptFile = async () => join(cache, (await readdir(cache))[0]!);

  test('stores one complete image if two processes write it', async () => {
    const images = await Promise.all([load(), load()]);
    for (const image of images) {
      const paths = unpackImage(image).map(([path]) => path);
      expect(paths).toContain('PG_VERSION');
    }
    expect(await readdir(cache)).toHaveLength(1);
    expect(await load()).toEqual(await load());
    expect(logged).toEqual([]);
  });

  test('replaces a damaged image', async () => {
    const file = await keptFile();
    await writeFile(file, (await readFile(file)).subarray(0, 1_000));
    expect(unpackImage(await load()).length).toBeGreaterThan(100);
    expect((await readFile(file)).length).toBeGreaterThan(100_000);
  });

  test('writes another image for other migrations, and removes an old one', async () => {
    const old = await keptFile();
    await utimes(old, 0, 0);
    await writeFile(join(migrations, '0002-b.sql'), 'create table b (id int);');
    await load();
    expect(await readdir(cache)).toHaveLength(1);
    expect(await keptFile()).not.toBe(old);
  });

  test('returns an image also if it cannot be stored', async () => {
    const noFolder = join(migrations, '0001-a.sql');
    const image = await loadDataImage(migrations, log, noFolder);
    expect(unpackImage(image).length).toBeGreaterThan(100);
    expect(logged).toEqual(['could not keep the image of an empty database']);
  });
});
