import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSeedFile } from '../src/domain/service/seeding/index.ts';
import type { TestContext } from './create-test-context.ts';

/** Writes a seed file into a folder, and loads it from there. */
export async function loadSeed(
  test: TestContext,
  folder: string,
  seedFile: unknown,
): ReturnType<typeof loadSeedFile> {
  const path = join(folder, 'seed.json');
  await writeFile(path, JSON.stringify(seedFile));
  return await loadSeedFile(test.ctx, test.geo, { path });
}
