import type { Dir } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlobKey } from './blob-key.ts';

/**
 * The keys of all files below `root`/`folder`, listed incrementally. Skips links and files whose
 * names are not keys, because the store did not create them. A missing folder has no files.
 */
export async function* listKeysBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await openFolder(join(root, folder));
  if (entries === undefined) return;
  for await (const entry of entries) {
    const key = `${folder}/${entry.name}`;
    if (!isBlobKey(key)) continue;
    if (entry.isDirectory()) yield* listKeysBelow(root, key);
    else if (entry.isFile()) yield key;
  }
}

async function openFolder(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
