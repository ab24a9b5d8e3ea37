import { constants, copyFile, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

/** A blob's owner writes it; their group may read it: a web server that sends files itself. */
export const blobFileMode = 0o640;

/** Writes a new file and does not return before its bytes are on the disk. Returns their number. */
export async function writeDurably(
  path: string,
  body: Buffer | Readable,
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

/** Puts a file that is already on the disk in its place: the name holds all of it or what it held. */
export async function renameDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const firstMade = await mkdir(folder, { recursive: true });
  await rename(from, to);
  await syncFolder(folder);
  if (firstMade !== undefined) await syncFoldersUpTo(folder, dirname(firstMade));
}

/** Removes a file for good; without it there is nothing to do. */
export async function unlinkDurably(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(dirname(path));
}

/** Copies a file from another disk; `to` must not exist yet. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await syncPath(to);
}

/** What was written to `path` is on the disk afterwards. Returns its size in bytes. */
export async function syncPath(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

// A name is an entry of its folder: without this a power cut may take the name back.
async function syncFolder(folder: string): Promise<void> {
  try {
    await syncPath(folder);
  } catch (error) {
    // Some network file systems cannot sync a folder and keep its entries on their own.
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
