import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Measure, MeasuredStream } from '../../lib/measured-stream.ts';
import type { BackupStore } from './backup-store.ts';
import type { BlobStore } from './blob-store.ts';

/** Makes a blob store one for backups: it receives files in its scratch folder. */
export function receiveInScratch(store: BlobStore): BlobStore & BackupStore {
  const receive: BackupStore['receive'] = async (open, expectedBytes, signal) => {
    const { path, ...found } = await receiveFile(store, await open(), expectedBytes, signal);
    return {
      ...found,
      moveTo: async (key, contentType) => void (await store.putFile(key, path, contentType)),
      [Symbol.asyncDispose]: () => rm(path, { force: true }),
    };
  };
  return Object.assign(store, { receive });
}

/** Writes a stream into the scratch folder of the store. Leaves nothing if that fails. */
export async function receiveFile(
  { scratchDir, room }: BlobStore,
  content: AsyncIterable<Uint8Array>,
  expectedBytes: number | undefined,
  signal?: AbortSignal,
): Promise<Measure & { readonly path: string }> {
  const path = join(scratchDir, `received-${randomUUID()}`);
  const measured = new MeasuredStream();
  try {
    using reserved = await room.reserve(expectedBytes);
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(content, measured, (body) => reserved.taking(body), file, { signal });
    return { ...measured.finish(), path };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
