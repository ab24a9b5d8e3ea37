import type { ListedBlob } from '../../../platform/blob-store/blob-store.ts';
import { documentFiles } from '../../exchange/imports/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type FileFamily, fileIdOf } from '../../foundation/file-family.ts';
import { audioFiles } from '../../publishing/audio/index.ts';
import { imageFiles } from '../../publishing/images/index.ts';
import { uploadFiles } from '../../publishing/uploads/index.ts';
import { deleteReleasedBefore, selectReleasedSince } from './unreferenced-files.sql.ts';

/** All other files in the store stay, such as earlier versions of the player. */
const families: readonly FileFamily[] = [audioFiles, imageFiles, documentFiles, uploadFiles];

/**
 * Files are stored before their rows; this is longer than any transaction takes. It is also the time
 * that a backup may take from its copy of the database to the end of its copy of the files.
 */
const graceMs = 24 * 3_600_000;
const deletedAtOnce = 8;

export interface SweepOptions {
  /** Only counts. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((swept: SweptFiles) => void) | undefined;
}

export interface SweptFiles {
  readonly lookedAt: number;
  /** Unreferenced files among them. */
  readonly strays: number;
  /** Temporary files of the store. */
  readonly leftovers: number;
  /** Of unreferenced files and leftovers. */
  readonly bytes: number;
}

/**
 * Removes files that were unreferenced for a day, and leftovers of the store. Keeps one batch of
 * the list in memory. Sweeps may run concurrently and stop at any time.
 */
export async function sweepFiles(ctx: Context, options: SweepOptions = {}): Promise<SweptFiles> {
  const { dryRun = false, signal, onProgress } = options;
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - graceMs);
  let swept: SweptFiles = { lookedAt: 0, strays: 0, leftovers: 0, bytes: 0 };
  for (const family of families) {
    for await (const batch of ctx.blobs.list(family.folder)) {
      signal?.throwIfAborted();
      const ours = batch.filter(({ key }) => family.keyForm.test(key));
      const strays = await findStrays(ctx, family, ours, before);
      if (!dryRun) await deleteFiles(ctx, strays, signal);
      swept = {
        ...swept,
        lookedAt: swept.lookedAt + ours.length,
        strays: swept.strays + strays.length,
        bytes: strays.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, swept.bytes),
      };
      onProgress?.(swept);
    }
  }
  // Only now: a file that could not be deleted stays noted.
  if (!dryRun) await deleteReleasedBefore(ctx.db, before);
  const leftovers = await ctx.blobs.removeLeftovers(now, { dryRun });
  return { ...swept, leftovers: leftovers.files, bytes: swept.bytes + leftovers.bytes };
}

async function findStrays(
  ctx: Context,
  { findNamed }: FileFamily,
  files: readonly ListedBlob[],
  before: Date,
): Promise<ListedBlob[]> {
  const old = files.filter(({ storedAt }) => storedAt < before);
  if (old.length === 0) return [];
  const named = await findNamed(
    ctx,
    old.map(({ key }) => key),
  );
  const unnamed = old.filter(({ key }) => !named.has(key));
  const ids = unnamed.map(({ key }) => fileIdOf(key));
  const released = new Set(await selectReleasedSince(ctx.db, ids, before));
  return unnamed.filter(({ key }) => !released.has(fileIdOf(key)));
}

async function deleteFiles(
  { blobs }: Context,
  files: readonly ListedBlob[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let first = 0; first < files.length; first += deletedAtOnce) {
    signal?.throwIfAborted();
    const some = files.slice(first, first + deletedAtOnce);
    await Promise.all(some.map(({ key }) => blobs.delete(key)));
  }
}
