import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long a file on its way in may lie untouched before it is taken for a crash's leftover. */
const leftoverAfterMs = 24 * 60 * 60 * 1000;

/** Makes `folder` where it is missing and removes from it what a crash left more than a day ago. */
export async function prepareScratchFolder(folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder, now.getTime() - leftoverAfterMs);
}

async function removeLeftovers(folder: string, untouchedSinceMs: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      if (entry.isDirectory()) {
        // Looked at first: emptying a folder makes it look touched.
        const isOld = (await stat(path)).mtimeMs < untouchedSinceMs;
        await removeLeftovers(path, untouchedSinceMs);
        if (isOld) await rmdir(path);
      } else if ((await stat(path)).mtimeMs < untouchedSinceMs) {
        await rm(path, { force: true });
      }
    } catch (error) {
      // Another process sweeps too, or still fills the folder.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error;
    }
  }
}
