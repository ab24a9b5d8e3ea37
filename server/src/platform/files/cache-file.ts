import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from './make-folder.ts';

// A cache beside the installed packages, for results that take long to compute from fixed inputs.
// Its files can be deleted at any time.

const hashLength = 16;
const sha256Bytes = 32;
const keptForMs = 3 * 24 * 60 * 60 * 1_000;

const besidePackages = fileURLToPath(
  new URL('../../../../node_modules/.cache/podstead', import.meta.url),
);

/** The path for content of this kind from these inputs. Other inputs have another path. */
export function cacheFilePath(
  kind: string,
  inputs: readonly (string | number)[],
  folder: string = besidePackages,
): string {
  const key = createHash('sha256').update(inputs.join(' ')).digest('hex').slice(0, hashLength);
  return join(folder, `${kind}-${key}`);
}

/** undefined: missing or damaged. */
export async function readCacheFile(file: string): Promise<Uint8Array | undefined> {
  const kept = await readFile(file).catch(() => undefined);
  if (!kept) return undefined;
  const content = kept.subarray(sha256Bytes);
  return sha256(content).equals(kept.subarray(0, sha256Bytes)) ? content : undefined;
}

/**
 * Stores the content, and removes old files of the same kind. Two processes may do this at once:
 * each writes its own file, and either is fine. Rejects if nothing can be written.
 */
export async function writeCacheFile(file: string, content: Uint8Array): Promise<void> {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  await makeFolder(dirname(file));
  try {
    await writeFile(half, [sha256(content), content]);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
  await removeOld(file);
}

/** Removes files made from other inputs, and partial files of killed processes. */
async function removeOld(file: string): Promise<void> {
  const [folder, [kind]] = [dirname(file), basename(file).split('-', 1)];
  const before = Date.now() - keptForMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(`${kind}-`) || (await modifiedAt(path)) > before) continue;
    await rm(path, { force: true });
  }
}

/** Another process may have renamed or removed the file: then there is nothing to remove. */
async function modifiedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Infinity;
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
