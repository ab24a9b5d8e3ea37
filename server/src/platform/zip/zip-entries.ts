import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

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

/** From this size on, an entry needs the 64-bit format. */
const largeBytes = 0xffff_fffe;

/**
 * A zip archive that is written while it is read: an entry is opened when the one before it has
 * been read, so memory does not grow with the archive. If an entry fails, the stream fails; if the
 * stream is destroyed, no further entry is opened.
 */
export function zipEntries(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  zip.on('error', (error: Error) => output.destroy(error));
  writeEntries(zip, output, entries).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return output;
}

async function writeEntries(
  zip: ZipFile,
  output: PassThrough,
  entries: AsyncIterable<ZipEntry>,
): Promise<void> {
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  for await (const { path, modifiedAt, sizeBytes, isCompressible, open } of entries) {
    if (output.destroyed) return;
    current = await open();
    if (current === undefined) continue;
    const read = finished(current);
    if (output.destroyed) current.destroy();
    zip.addReadStream(current, path, {
      mtime: modifiedAt,
      compress: isCompressible,
      forceZip64Format: (sizeBytes ?? 0) >= largeBytes,
      ...(sizeBytes !== undefined && { size: sizeBytes }),
    });
    await read;
  }
  zip.end();
}
