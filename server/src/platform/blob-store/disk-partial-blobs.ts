import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { DiskRoom, Reservation } from './disk-room.ts';
import { blobFileMode, syncFolder, unlinkDurably } from './durable-file.ts';
import { type Append, PartialBlobLostError, type PartialBlobs } from './partial-blobs.ts';

const syncedBytes = 16 * 1024 * 1024;
/** A slow sender loses no more than this when the process is killed. */
const syncedAfterMs = 1_000;

/** Each blob grows at its key's own path. The key's owner reads it only when it is finished. */
export function createDiskPartialBlobs(
  pathOf: (key: string) => string,
  room: DiskRoom,
): PartialBlobs {
  return {
    requireRoom: (bytes) => room.require(bytes),
    async begin(key) {
      await makeFolder(dirname(pathOf(key)));
      return { sizeBytes: 0, state: '' };
    },
    async append(append) {
      using reserved = room.follow(append.totalBytes - append.progress.sizeBytes);
      await appendToFile(pathOf(append.key), append, reserved);
    },
    async finish({ key, totalBytes }) {
      const found = await stat(pathOf(key)).catch(() => undefined);
      if (found?.size !== totalBytes) throw new PartialBlobLostError(key);
    },
    async remove({ key }) {
      await unlinkDurably(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}

async function appendToFile(path: string, append: Append, reservation: Reservation): Promise<void> {
  await using file = await openToAppend(path, append);
  const { body, record } = append;
  let at = append.progress.sizeBytes;
  let recorded = at;
  let recordedAtMs = performance.now();
  const checkpoint = async () => {
    if (at === recorded) return;
    const sizeBytes = at;
    await file.datasync();
    await record({ sizeBytes, state: '' });
    recorded = sizeBytes;
    recordedAtMs = performance.now();
  };
  try {
    for await (const chunk of reservation.taking(body)) {
      await writeAt(file, chunk, at);
      at += chunk.length;
      const isDue = performance.now() - recordedAtMs >= syncedAfterMs;
      if (isDue || at - recorded >= syncedBytes) await checkpoint();
    }
  } finally {
    await checkpoint();
  }
}

async function openToAppend(path: string, { key, progress }: Append): Promise<FileHandle> {
  const file = await open(path, constants.O_CREAT | constants.O_RDWR, blobFileMode);
  try {
    const { size } = await file.stat();
    if (size < progress.sizeBytes) throw new PartialBlobLostError(key);
    if (progress.sizeBytes === 0) await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function writeAt(file: FileHandle, chunk: Buffer, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at + done);
    done += bytesWritten;
  }
}
