import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../describe-failure.ts';

export const socketName = 'podstead.sock';

/** A Unix socket's path has room for 108 bytes on Linux and 104 elsewhere, its end included. */
const maxPathBytes = 100;

/**
 * Calls `use` with a path of the socket `name` in `folder` that is short enough to bind or to
 * connect to. Where the folder's own is too long, the open folder lends a short one.
 */
export async function withSocketPath<T>(
  folder: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= maxPathBytes) return await use(path);
  if (process.platform !== 'linux') {
    throw new CommandError(`${folder} is too long a path: a socket cannot be made in it.`);
  }
  const opened = await open(folder, 'r');
  try {
    return await use(`/proc/self/fd/${opened.fd}/${name}`);
  } finally {
    await opened.close();
  }
}
