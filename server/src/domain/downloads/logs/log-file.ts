import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { openRegularFile } from '../../../platform/files/open-regular-file.ts';
import { invalid } from '../../errors.ts';

const chunkBytes = 64 * 1024;

/** An open log. It stays the same file if it is renamed. */
export interface LogFile extends AsyncDisposable {
  readonly isCompressed: boolean;
  stat(): Promise<Stats>;
  /**
   * The content from a position to the present end, uncompressed. If a compressed file ends too
   * early, so does the content. `onRead` gets the number of bytes that were read of the file.
   */
  read(from: number, onRead?: (fileBytes: number) => void): AsyncGenerator<Buffer>;
  /** These bytes of the file itself; fewer at its end. */
  readAt(from: number, count: number): Promise<Buffer>;
}

/** Throws NotAFileError for what is no file. */
export async function openLogFile(path: string): Promise<LogFile> {
  const handle = await openRegularFile(path);
  try {
    const isCompressed = await isGzip(handle);
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
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function isGzip(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b;
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
  // If the reader stops early, this throws an error that does not matter.
  const unpacked = pipeline(readPlain(handle, 0, onRead), createGunzip(), () => undefined);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      if (left < chunk.length) yield chunk.subarray(left);
      left = Math.max(0, left - chunk.length);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') return;
    if (code?.startsWith('Z_')) throw invalid('file', 'The compressed file is damaged.');
    throw error;
  }
}
