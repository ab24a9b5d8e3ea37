import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { createYielder } from '../../lib/time-slices.ts';
import {
  CentralDirectory,
  dataDescriptor,
  localHeader,
  type ZipContent,
  type ZipFile,
} from './zip-records.ts';

export interface ZipEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly modifiedAt: Date;
  /** If given, another number of bytes makes the archive fail. */
  readonly sizeBytes?: number | undefined;
  /** False for content that is compressed already. */
  readonly isCompressible: boolean;
  /** If it resolves to undefined, the entry is left out. */
  readonly open: () => Promise<Readable | undefined>;
}

/** From this size on, an entry may reach 4 GiB: what can't be compressed grows a little. */
const largeBytes = 0xf000_0000;

/**
 * A zip archive that is written while it is read: an entry is opened when the one before it has
 * been read. Of an entry that was read, about 100 bytes are kept for the directory at the end. If an
 * entry fails, the stream fails; if the stream is destroyed, so is the entry that is being read, and
 * no further entry is opened.
 */
export function zipEntries(entries: AsyncIterable<ZipEntry>): Readable {
  const output = new PassThrough();
  writeArchive(createWriter(output), entries).then(
    () => output.end(),
    (error: unknown) => {
      output.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  return output;
}

interface Writer {
  /** Aborted when the reader has left. */
  readonly signal: AbortSignal;
  /** The number of bytes written so far. */
  offset: number;
  /** Resolves when more may be written; rejects if the reader has left. */
  write(bytes: Buffer): Promise<void>;
}

function createWriter(output: PassThrough): Writer {
  const closed = new AbortController();
  const { signal } = closed;
  output.once('close', () => closed.abort());
  // Short files and a fast reader could otherwise keep the event loop to themselves.
  const maybeYield = createYielder();
  return {
    signal,
    offset: 0,
    async write(bytes) {
      signal.throwIfAborted();
      this.offset += bytes.length;
      if (!output.write(bytes)) await once(output, 'drain', { signal });
      await maybeYield();
    },
  };
}

async function writeArchive(writer: Writer, entries: AsyncIterable<ZipEntry>): Promise<void> {
  const directory = new CentralDirectory();
  for await (const entry of entries) {
    writer.signal.throwIfAborted();
    const source = await entry.open();
    if (source === undefined) continue;
    const file: ZipFile = {
      name: Buffer.from(entry.path),
      modifiedAt: entry.modifiedAt,
      isDeflated: entry.isCompressible,
      hasLongSizes: (entry.sizeBytes ?? 0) >= largeBytes,
    };
    const { offset } = writer;
    const content = await writeFile(writer, file, source);
    if (entry.sizeBytes !== undefined && entry.sizeBytes !== content.sizeBytes) {
      throw new Error(`${entry.path} has ${content.sizeBytes} bytes, not ${entry.sizeBytes}`);
    }
    directory.add(file, content, offset);
  }
  for (const piece of directory.write(writer.offset)) await writer.write(piece);
}

/** The pipelines handle errors of the source from the beginning, and destroy it at the end. */
async function writeFile(writer: Writer, file: ZipFile, source: Readable): Promise<ZipContent> {
  const { signal } = writer;
  const content = { crc32: 0, sizeBytes: 0, storedBytes: 0 };
  async function* measure(chunks: AsyncIterable<Buffer | string>) {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      content.crc32 = crc32(bytes, content.crc32);
      content.sizeBytes += bytes.length;
      yield bytes;
    }
  }
  async function write(chunks: AsyncIterable<Buffer>) {
    await writer.write(localHeader(file));
    for await (const chunk of chunks) {
      content.storedBytes += chunk.length;
      await writer.write(chunk);
    }
  }
  await (file.isDeflated
    ? pipeline(source, measure, createDeflateRaw(), write, { signal })
    : pipeline(source, measure, write, { signal }));
  await writer.write(dataDescriptor(file, content));
  return content;
}
