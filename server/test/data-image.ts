import { createEmbeddedPool } from '../src/platform/database/connections/pools.ts';
import { type DatabaseConnection, openDatabase } from '../src/platform/database/database.ts';
import type { DatabaseLog } from '../src/platform/database/database-log.ts';
import { EmbeddedEngine } from '../src/platform/database/embedded/embedded-engine.ts';
import {
  loadInitdbImage,
  readPgliteVersion,
} from '../src/platform/database/embedded/initdb-image.ts';
import { migrate } from '../src/platform/database/migrations/migrate.ts';
import {
  hashMigrations,
  migrationsFolder,
  readMigrations,
} from '../src/platform/database/migrations/migration-files.ts';
import { cacheFilePath, readCacheFile, writeCacheFile } from '../src/platform/files/cache-file.ts';

// Increase it when the format or initdb's parameters change.
const IMAGE_VERSION = 4;

/**
 * A packed, migrated, empty database that tests start from, in half the time of migrating. It is
 * created on first use and cached beside the installed packages under a name that includes its
 * inputs, so it is never outdated. If it cannot be cached, it is created each time.
 */
export async function loadDataImage(
  folder: string,
  log: DatabaseLog,
  cacheFolder?: string,
): Promise<Uint8Array> {
  const file = cacheFilePath('database', await imageInputs(folder), cacheFolder);
  const cached = await readCacheFile(file);
  if (cached) return cached;
  const image = await buildDataImage(folder, log);
  try {
    await writeCacheFile(file, image);
  } catch (error) {
    log.warn({ err: error }, 'could not keep the image of an empty database');
  }
  return image;
}

async function buildDataImage(folder: string, log: DatabaseLog): Promise<Uint8Array> {
  const image = await loadInitdbImage(log);
  await using engine = new EmbeddedEngine({ filesDir: undefined, image }, log);
  const pool = createEmbeddedPool(engine, log);
  await migrate({ pool }, folder);
  await pool.end();
  return await engine.dump();
}

async function imageInputs(folder: string): Promise<readonly (string | number)[]> {
  const hash = hashMigrations(await readMigrations(folder));
  return [IMAGE_VERSION, await readPgliteVersion(), hash];
}

/** A migrated, empty database that is deleted when it is closed. */
export async function openMemory<Tables>(log: DatabaseLog): Promise<DatabaseConnection<Tables>> {
  const image = await loadDataImage(migrationsFolder, log);
  return await openDatabase({ kind: 'memory', image, log });
}
