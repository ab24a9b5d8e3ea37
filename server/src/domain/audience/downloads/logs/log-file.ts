import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { openRegularFile } from '../../../../platform/files/open-regular-file.ts';
import { invalid } from '../../../foundation/errors.ts';

const chunkBytes = 64 * 1024;

/** An open log. It stays the same file if it is renamed. */
export interface LogFile extends AsyncDisposable {
  readonly isCompressed: boolean;
  stat(): Promise<Stats>;
  /**
   * The content from a position to the present end, uncompressed. If a compressed file ends too
   * early, this is all that can be unpacked. `onRead` gets the number of bytes that were read of the
   * file.
   */
  read(from: number, onRead?: (fileBytes: number) => void): AsyncGenerator<Buffer>;
  /** Whether the compressed data is incomplete. To find out, all of it is unpacked. */
  endsEarly(): Promise<boolean>;
  /** These bytes of the file itself; fewer at its end. */
  readAt(from: number, count: number): Promise<Buffer>;
}

/** Throws NotAFileError for what is not a file. */
export async function openLogFile(path: string): Promise<LogFile> {
  const handle = await openRegularFile(path);
  try {
    const isCompressed = await isGzip(handle, path);
    return {
      isCompressed,
      stat: () => handle.stat(),
      readAt: async (from, count) => {
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(count), 0, count, from);
        return buffer.subarray(0, bytesRead);
      },
      read: (from, onRead) => {
        return isCompressed ? readGzip(handle, from, onRead) : readPlain(handle, from, onRead);
      },
      endsEarly: async () => isCompressed && (await isGzipIncomplete(handle)),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** By its first bytes. A file that has none yet is known by its name. */
async function isGzip(handle: FileHandle, path: string): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead < 2 ? path.endsWith('.gz') : buffer.readUInt16BE() === 0x1f8b;
}

async function* readPlain(
  handle: FileHandle,
  from: number,
  onRead?: (fileBytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let at = from; ; ) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(chunkBytes),
      0,
      chunkBytes,
      at,
    );
    if (bytesRead === 0) return;
    at += bytesRead;
    onRead?.(at);
    yield buffer.subarray(0, bytesRead);
  }
}

async function* readGzip(
  handle: FileHandle,
  from: number,
  onRead?: (fileBytes: number) => void,
): AsyncGenerator<Buffer> {
  let left = from;
  try {
    // With this flag, an early end is not an error, which would discard what was unpacked before.
    for await (const chunk of unpack(readPlain(handle, 0, onRead), constants.Z_SYNC_FLUSH)) {
      if (left < chunk.length) yield chunk.subarray(left);
      left = Math.max(0, left - chunk.length);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw invalid('file', 'The compressed file is damaged.');
    throw error;
  }
}

/** False for a file that is damaged before its end: reading it tells so. */
async function isGzipIncomplete(handle: FileHandle): Promise<boolean> {
  try {
    for await (const _ of unpack(readPlain(handle, 0), constants.Z_FINISH));
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) return code === 'Z_BUF_ERROR';
    throw error;
  }
}

function unpack(content: AsyncIterable<Buffer>, finishFlush: number): AsyncIterable<Buffer> {
  // If the reader stops early, this throws an error that does not matter.
  return pipeline(content, createGunzip({ finishFlush }), () => undefined);
}
