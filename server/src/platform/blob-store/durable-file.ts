import { constants, copyFile, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';

/** The owner writes blobs; the group may read them, for a web server that sends files itself. */
export const blobFileMode = 0o640;

/** Writes a new file and returns when its bytes are on disk. Returns their number. */
export async function writeDurably(
  path: string,
  body: Buffer | AsyncIterable<Buffer>,
  mode = blobFileMode,
): Promise<number> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(body);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Moves a durable file to its place; afterwards the name has either the old or the new content. */
export async function renameDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const firstMade = await makeFolder(folder);
  await rename(from, to);
  await syncFolder(folder);
  if (firstMade !== undefined) await syncFoldersUpTo(folder, dirname(firstMade));
}

/** Removes a file durably; no effect if it is missing. */
export async function unlinkDurably(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(dirname(path));
}

/** Copies a file from another disk; `to` must not exist. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await syncPath(to);
}

/** Syncs a file to disk. Returns its size in bytes. */
export async function syncPath(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** A file's name belongs to its folder; without this, a power failure may remove the name. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await syncPath(folder);
  } catch (error) {
    // Some network file systems cannot sync a folder, and keep its entries durable themselves.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EINVAL' && code !== 'ENOTSUP') throw error;
  }
}

async function syncFoldersUpTo(folder: string, last: string): Promise<void> {
  for (let current = folder; current !== last; ) {
    current = dirname(current);
    await syncFolder(current);
  }
}
