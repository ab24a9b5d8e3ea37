import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { Leftovers } from './blob-store.ts';

/** An incoming file that was untouched for this long is a leftover of a crash. */
const leftoverAfterMs = 24 * 60 * 60 * 1000;

/** Creates `folder` if missing and removes leftovers that are older than a day. */
export async function prepareScratchFolder(folder: string, now: Date): Promise<void> {
  await makeFolder(folder, 0o700);
  await removeOldFiles(folder, now);
}

/** Removes files and folders that were untouched for a day; with `dryRun`, only counts them. */
export async function removeOldFiles(
  folder: string,
  now: Date,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<Leftovers> {
  return await removeUntouched(folder, now.getTime() - leftoverAfterMs, dryRun);
}

async function removeUntouched(
  folder: string,
  sinceMs: number,
  dryRun: boolean,
): Promise<Leftovers> {
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      // Check a folder before emptying it, which touches it.
      const { mtimeMs, size } = await stat(path);
      const isOld = mtimeMs < sinceMs;
      if (entry.isDirectory()) {
        const below = await removeUntouched(path, sinceMs, dryRun);
        files += below.files;
        bytes += below.bytes;
        if (isOld && !dryRun) await rmdir(path);
      } else if (isOld) {
        if (!dryRun) await rm(path, { force: true });
        files += 1;
        bytes += size;
      }
    } catch (error) {
      // Another process removes them too, or still writes to the folder.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error;
    }
  }
  return { files, bytes };
}
