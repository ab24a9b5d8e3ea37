import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../files/make-folder.ts';
import type { DatabaseLog } from './database-log.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { loadInitdbImage } from './initdb-image.ts';
import { migrate } from './migrate.ts';
import { hashMigrations, readMigrations } from './migration-files.ts';
import { readPgliteVersion } from './pglite-version.ts';
import { createEmbeddedPool } from './pools.ts';

// Increase it when the format or initdb's parameters change.
const IMAGE_VERSION = 4;
const HASH_LENGTH = 16;
const SHA256_BYTES = 32;
const KEPT_FOR_MS = 3 * 24 * 60 * 60 * 1_000;

const besidePackages = fileURLToPath(
  new URL('../../../../node_modules/.cache/podstead', import.meta.url),
);

/**
 * A packed, migrated, empty database that tests start from, in half the time of migrating. It is
 * created on first use and cached beside the installed packages under a name that includes its
 * inputs, so it is never outdated. If it cannot be cached, it is created each time.
 */
export async function loadDataImage(
  folder: string,
  log: DatabaseLog,
  cacheFolder: string = besidePackages,
): Promise<Uint8Array> {
  const file = join(cacheFolder, `database-${await imageKey(folder)}.image`);
  const kept = await readKept(file);
  if (kept) return kept;
  const image = await buildDataImage(folder, log);
  try {
    await keep(file, image);
    await removeOld(cacheFolder);
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

async function imageKey(folder: string): Promise<string> {
  const version = await readPgliteVersion();
  const parts = [IMAGE_VERSION, version, hashMigrations(await readMigrations(folder))];
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, HASH_LENGTH);
}

/** Two processes may do this at once: each writes its own file, and either is fine. */
async function keep(file: string, image: Uint8Array): Promise<void> {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  await makeFolder(dirname(file));
  try {
    await writeFile(half, Buffer.concat([sha256(image), image]));
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
}

/** undefined: missing or damaged. */
async function readKept(file: string): Promise<Uint8Array | undefined> {
  const content = await readFile(file).catch(() => undefined);
  if (!content) return undefined;
  const image = content.subarray(SHA256_BYTES);
  return sha256(image).equals(content.subarray(0, SHA256_BYTES)) ? image : undefined;
}

/** Images of other migrations, and partial files of killed processes. */
async function removeOld(cacheFolder: string): Promise<void> {
  const before = Date.now() - KEPT_FOR_MS;
  for (const name of await readdir(cacheFolder)) {
    const path = join(cacheFolder, name);
    if (!name.startsWith('database-') || (await stat(path)).mtimeMs > before) continue;
    await rm(path, { force: true });
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
