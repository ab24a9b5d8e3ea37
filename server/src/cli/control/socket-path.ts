import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../describe-failure.ts';

export const socketName = 'podstead.sock';

/**
 * The path of a Unix socket has at most 108 bytes on Linux and 104 elsewhere, including its
 * terminator.
 */
const maxPathBytes = 100;

/**
 * Calls `use` with a path of the socket `name` in `folder` that is short enough for bind and
 * connect. If the real path is too long, uses the open folder's path under /proc.
 */
export async function withSocketPath<T>(
  folder: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= maxPathBytes) return await use(path);
  if (process.platform !== 'linux') {
    throw new CommandError(`The path ${folder} is too long for a socket.`);
  }
  const opened = await open(folder, 'r');
  try {
    return await use(`/proc/self/fd/${opened.fd}/${name}`);
  } finally {
    await opened.close();
  }
}
