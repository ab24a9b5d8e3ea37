import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** What the path names is there, and cannot be read as a file. */
export class NotAFileError extends Error {
  constructor(path: string, found: Stats) {
    super(`${path} is not a file, but ${kindOf(found)}.`);
    this.name = 'NotAFileError';
  }
}

/**
 * Opens a file to read it. Throws NotAFileError at once for everything else: to open a named pipe
 * blocks a thread until somebody writes to it, and no signal ends that.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // To open a device may change it.
  requireFile(path, await stat(path));
  // Something else may have taken the file's place. For a file the flag changes nothing.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    requireFile(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function requireFile(path: string, found: Stats): void {
  if (!found.isFile()) throw new NotAFileError(path, found);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
