import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseLog } from './database-log.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { migrate } from './migrate.ts';
import { hashMigrations, readMigrations } from './migration-files.ts';
import { createEmbeddedPool } from './pools.ts';

// Raise it when what makes an image changes: its format, initdb's parameters.
const IMAGE_VERSION = 3;
const HASH_LENGTH = 16;
const SHA256_BYTES = 32;
const KEPT_FOR_MS = 3 * 24 * 60 * 60 * 1_000;

const besidePackages = fileURLToPath(
  new URL('../../../../node_modules/.cache/podstead', import.meta.url),
);

/**
 * A packed, migrated, empty database. To start from it takes a tenth of what initdb takes. It is
 * made on first use and kept beside the installed packages, under a name that says what is in it,
 * so it is never wrong; where nothing can be kept, it is made each time.
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
  await using engine = new EmbeddedEngine({ filesDir: undefined, image: undefined }, log);
  const pool = createEmbeddedPool(engine, log);
  await migrate({ pool }, folder);
  await pool.end();
  return await engine.dump();
}

async function imageKey(folder: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const pglite = require.resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(pglite, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const parts = [IMAGE_VERSION, version, hashMigrations(await readMigrations(folder))];
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, HASH_LENGTH);
}

/** Two processes may do so at once: each writes a file of its own, and either is as good. */
async function keep(file: string, image: Uint8Array): Promise<void> {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(half, Buffer.concat([sha256(image), image]));
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
}

/** undefined: there is none, or it is damaged. */
async function readKept(file: string): Promise<Uint8Array | undefined> {
  const content = await readFile(file).catch(() => undefined);
  if (!content) return undefined;
  const image = content.subarray(SHA256_BYTES);
  return sha256(image).equals(content.subarray(0, SHA256_BYTES)) ? image : undefined;
}

/** Images of other migrations, and halves that a killed process left. */
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
