import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { chunksOf } from '../../../lib/chunks-of.ts';
import type { BlobStore } from '../../../platform/blob-store/blob-store.ts';
import type { StoredFile } from '../../files/blob-response.ts';

// While processes of two releases run, one of them sends the app's page, and the other one gets requests for the
// files that it names. So each release keeps its files in the store.

/** `npm run dashboard` writes it. */
const built = new URL('../../../../../dashboard/dist/assets/', import.meta.url);

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const storedAtOnce = 8;

/** The names of the app's files, each with the hash of its content. None if the app is not built. */
export function listAssets(folder = built): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !/[.](?:gz|br)$/.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function urlOfAsset(name: string, coding: '' | '.gz' | '.br' = ''): URL {
  return new URL(name + coding, built);
}

export function typeOfAsset(name: string): string {
  return contentTypes[extname(name)] ?? 'application/octet-stream';
}

/** Keys have no capital letters, so it is a hash of the name. Undefined if no release has such a name. */
function keyOfAsset(name: string): { readonly key: string; readonly hash: string } | undefined {
  if (!/^[\w.-]{1,100}$/.test(name) || contentTypes[extname(name)] === undefined) return undefined;
  const hash = digest(name);
  return { key: `app/${hash}`, hash };
}

/** Stores the files of this release beside those of others. One request finds that it has done so before. */
export async function keepAssets(blobs: BlobStore, folder = built): Promise<void> {
  const names = listAssets(folder);
  const mark = `app/all-${digest(names.join(' '))}`;
  if (names.length === 0 || (await blobs.stat(mark)) !== undefined) return;
  for (const chunk of chunksOf(names, storedAtOnce)) {
    const stored = chunk.map(async (name) => {
      const kept = keyOfAsset(name);
      if (kept === undefined || (await blobs.stat(kept.key)) !== undefined) return;
      await blobs.put(kept.key, readFileSync(new URL(name, folder)), typeOfAsset(name));
    });
    await Promise.all(stored);
  }
  await blobs.put(mark, Buffer.from(names.join('\n')), 'text/plain; charset=utf-8');
}

/** A file of another release; undefined if no process has kept it. */
export async function findKeptAsset(
  blobs: BlobStore,
  name: string,
): Promise<StoredFile | undefined> {
  const kept = keyOfAsset(name);
  const stat = kept === undefined ? undefined : await blobs.stat(kept.key);
  if (kept === undefined || stat === undefined) return undefined;
  return { ...kept, contentType: typeOfAsset(name), sizeBytes: stat.sizeBytes };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
