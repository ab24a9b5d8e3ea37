import type { Readable } from 'node:stream';
import type { BlobStore } from '../../platform/blob-store/blob-store.ts';
import { afterTransaction } from '../../platform/database/transaction.ts';
import { type Context, transact } from './context.ts';

/**
 * Writes to both stores: `store` puts files into the blob store, which may take long, and `commit`
 * then writes the rows in one transaction. If either fails, the files are deleted again.
 */
export async function storeAndCommit<Stored, Result>(
  ctx: Context,
  store: (ctx: Context) => Promise<Stored>,
  commit: (ctx: Context, stored: Stored) => Promise<Result>,
): Promise<Result> {
  const keys: string[] = [];
  const recording: Context = { ...ctx, blobs: recordPuts(ctx.blobs, keys) };
  unrecorded.set(recording.blobs, ctx.blobs);
  const removeFrom = async (first: number) => {
    for (const key of keys.splice(first)) await ctx.blobs.delete(key);
  };
  let isKept = false;
  const keep = () => {
    isKept = true;
  };
  try {
    const stored = await store(recording);
    const storedKeys = keys.length;
    return await transact(recording, async (tx) => {
      // A repeated transaction puts its files again.
      await removeFrom(storedKeys);
      // If it is unknown whether it was committed, an unused file is better than a missing one.
      afterTransaction(tx.db, 'stored files', { onCommit: keep, onUnknown: keep });
      return await commit(tx, stored);
    });
  } catch (error) {
    // The first error says more. The sweep deletes what stays.
    if (!isKept) await removeFrom(0).catch((err: unknown) => ctx.log.warn({ err }, leftBehind));
    throw error;
  }
}

/** The store behind each one that records. */
const unrecorded = new WeakMap<BlobStore, BlobStore>();

/** For files that rows name already: they stay even if the commit of `storeAndCommit` fails. */
export function keepingFiles(ctx: Context): Context {
  const blobs = unrecorded.get(ctx.blobs);
  return blobs === undefined ? ctx : keepingFiles({ ...ctx, blobs });
}

const leftBehind = 'files that nothing uses were not deleted';

function recordPuts(blobs: BlobStore, keys: string[]): BlobStore {
  return {
    scratchDir: blobs.scratchDir,
    room: blobs.room,
    put(key: string, body: Buffer | Readable, contentType: string) {
      keys.push(key);
      return blobs.put(key, body, contentType);
    },
    putFile(key, path, contentType) {
      keys.push(key);
      return blobs.putFile(key, path, contentType);
    },
    copy(from, to, contentType) {
      keys.push(to);
      return blobs.copy(from, to, contentType);
    },
    partial: blobs.partial,
    withFile: (key, use) => blobs.withFile(key, use),
    read: (key, span, reader) => blobs.read(key, span, reader),
    mostClients: blobs.mostClients,
    stat: (key) => blobs.stat(key),
    delete: (key) => blobs.delete(key),
    list: (folder) => blobs.list(folder),
    removeLeftovers: (now, options) => blobs.removeLeftovers(now, options),
    check: () => blobs.check(),
    [Symbol.asyncDispose]: () => blobs[Symbol.asyncDispose](),
  };
}
