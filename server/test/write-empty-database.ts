import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackImage } from '../src/platform/database/embedded/image-format.ts';
import { migrationsFolder } from '../src/platform/database/migrations/migration-files.ts';
import { loadDataImage } from './data-image.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Puts a migrated, empty embedded database into a new DATA_DIR. The first start on it takes half of the
 * processor time of one that has to migrate.
 */
export async function writeEmptyDatabase(dataDir: string): Promise<void> {
  const files = join(dataDir, 'database/files');
  await mkdir(files, { recursive: true, mode: 0o700 });
  for (const [path, content] of unpackImage(await loadDataImage(migrationsFolder, log))) {
    if (content === null) await mkdir(join(files, path));
    else await writeFile(join(files, path), content);
  }
}
