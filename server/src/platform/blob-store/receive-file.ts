import { randomUUID } from 'node:crypto';
import { type FileHandle, open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Measure, MeasuredStream } from '../../lib/measured-stream.ts';
import type { BackupStore } from './backup-store.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * What the system writes later, a sync of any other file on the disk may wait for: also that of the mark that
 * says that a backup goes on.
 */
const syncedBytes = 64 * 1024 * 1024;

/** What a mark contains; its name says more. */
export const atWork = Buffer.from('at work');

export const newReceivedName = () => `received-${randomUUID()}`;

/** Makes a blob store one for backups: it receives files in its scratch folder. */
export function receiveInScratch(store: BlobStore): BlobStore & BackupStore {
  const receive: BackupStore['receive'] = async (open, expectedBytes, signal) => {
    const name = newReceivedName();
    const found = await receiveFile(store, name, await open(), expectedBytes, signal);
    const path = join(store.scratchDir, name);
    return {
      ...found,
      moveTo: async (key, contentType) => void (await store.putFile(key, path, contentType)),
      [Symbol.asyncDispose]: () => rm(path, { force: true }),
    };
  };
  const mark: BackupStore['mark'] = (key) => store.put(key, atWork, 'application/octet-stream');
  return Object.assign(store, { receive, mark });
}

/** Writes a stream into a new file in the scratch folder of the store. Leaves nothing if that fails. */
export async function receiveFile(
  { scratchDir, room }: BlobStore,
  name: string,
  content: AsyncIterable<Uint8Array>,
  expectedBytes: number | undefined,
  signal?: AbortSignal,
): Promise<Measure> {
  const path = join(scratchDir, name);
  const measured = new MeasuredStream();
  try {
    using reserved = await room.reserve(expectedBytes);
    await using file = await openFile(path, 'wx', 0o600);
    const write = (body: AsyncIterable<Buffer>) => writeInSteps(file, body);
    await pipeline(content, measured, (body) => reserved.taking(body), write, { signal });
    return measured.finish();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function writeInSteps(file: FileHandle, body: AsyncIterable<Buffer>): Promise<void> {
  let unsynced = 0;
  for await (const chunk of body) {
    await file.writeFile(chunk);
    unsynced += chunk.length;
    if (unsynced < syncedBytes) continue;
    await file.datasync();
    unsynced = 0;
  }
}
