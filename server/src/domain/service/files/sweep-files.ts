import type { BlobStore, ListedBlob } from '../../../platform/blob-store/blob-store.ts';
import type { BlobProgress } from '../../../platform/blob-store/partial-blobs.ts';
import { documentFiles } from '../../exchange/imports/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type FileFamily, fileIdOf } from '../../foundation/file-family.ts';
import { audioFiles } from '../../publishing/audio/index.ts';
import { imageFiles } from '../../publishing/images/index.ts';
import { uploadFiles } from '../../publishing/uploads/index.ts';
import { deleteReleasedBefore, selectReleases } from './unreferenced-files.sql.ts';

/** Their files are named by a row until a trigger notes their end, unless a process was killed. */
const mediaFamilies: readonly FileFamily[] = [audioFiles, imageFiles];
/** All other files in the store stay, such as earlier versions of the player. */
const families: readonly FileFamily[] = [...mediaFamilies, documentFiles, uploadFiles];

/**
 * Files are stored before their rows; this is longer than any transaction takes. It is also the time
 * that a backup may take from its copy of the database to the end of its copy of the files.
 */
const graceMs = 24 * 3_600_000;
const deletedAtOnce = 8;
const epoch = new Date(0);

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
  /** Audio and pictures among those looked at. */
  readonly media: number;
  /** Unreferenced audio and pictures that the database has no note of, as if they were of another one. */
  readonly unknownMedia: number;
  /** Temporary files of the store. */
  readonly leftovers: number;
  /** Of unreferenced files and leftovers. */
  readonly bytes: number;
}

/**
 * Removes files that were unreferenced for a day, also unfinished ones, and leftovers of the store.
 * Keeps one batch of the list in memory. Sweeps may run concurrently and stop at any time.
 */
export async function sweepFiles(ctx: Context, options: SweepOptions = {}): Promise<SweptFiles> {
  const { dryRun = false, signal, onProgress } = options;
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - graceMs);
  let swept = nothingSwept;
  for (const family of families) {
    for await (const batch of listFiles(ctx.blobs, family)) {
      signal?.throwIfAborted();
      const ours = batch.filter(({ key }) => family.keyForm.test(key));
      const found = await findStrays(ctx, family, ours, before);
      if (!dryRun) await deleteFiles(ctx, found.strays, signal);
      swept = addFound(swept, family, ours.length, found);
      onProgress?.(swept);
    }
  }
  // Only now: a file that could not be deleted stays noted.
  if (!dryRun) await deleteReleasedBefore(ctx.db, before);
  const leftovers = await ctx.blobs.removeLeftovers(now, { dryRun });
  return { ...swept, leftovers: leftovers.files, bytes: swept.bytes + leftovers.bytes };
}

/** A file, or the parts of one that have arrived. */
interface StoredFile extends ListedBlob {
  /** Of parts, without their size. */
  readonly progress?: BlobProgress;
}

async function* listFiles(blobs: BlobStore, { folder }: FileFamily): AsyncGenerator<StoredFile[]> {
  yield* blobs.list(folder);
  for await (const batch of blobs.partial.listUnfinished(folder)) {
    yield batch.map(({ begunAt, ...file }) => ({ ...file, sizeBytes: 0, storedAt: begunAt }));
  }
}

const nothingSwept: SweptFiles = {
  ...{ lookedAt: 0, strays: 0, media: 0, unknownMedia: 0, leftovers: 0, bytes: 0 },
};

interface FoundStrays {
  readonly strays: readonly StoredFile[];
  /** How many of them the database has no note of. */
  readonly unknown: number;
}

function addFound(
  swept: SweptFiles,
  family: FileFamily,
  lookedAt: number,
  { strays, unknown }: FoundStrays,
): SweptFiles {
  const isMedia = mediaFamilies.includes(family);
  return {
    lookedAt: swept.lookedAt + lookedAt,
    strays: swept.strays + strays.length,
    media: swept.media + (isMedia ? lookedAt : 0),
    unknownMedia: swept.unknownMedia + (isMedia ? unknown : 0),
    leftovers: swept.leftovers,
    bytes: strays.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, swept.bytes),
  };
}

async function findStrays(
  ctx: Context,
  { findNamed }: FileFamily,
  files: readonly StoredFile[],
  before: Date,
): Promise<FoundStrays> {
  const old = files.filter(({ storedAt }) => storedAt < before);
  if (old.length === 0) return { strays: [], unknown: 0 };
  const named = await findNamed(
    ctx,
    old.map(({ key }) => key),
  );
  const unnamed = old.filter(({ key }) => !named.has(key));
  const releases = await selectReleases(
    ctx.db,
    unnamed.map(({ key }) => fileIdOf(key)),
  );
  const releaseOf = ({ key }: ListedBlob) => releases.get(fileIdOf(key));
  const strays = unnamed.filter((file) => (releaseOf(file) ?? epoch) < before);
  return { strays, unknown: strays.filter((file) => releaseOf(file) === undefined).length };
}

async function deleteFiles(
  { blobs }: Context,
  files: readonly StoredFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let first = 0; first < files.length; first += deletedAtOnce) {
    signal?.throwIfAborted();
    const some = files.slice(first, first + deletedAtOnce);
    await Promise.all(
      some.map(({ key, progress }) =>
        progress === undefined ? blobs.delete(key) : blobs.partial.remove({ key, progress }),
      ),
    );
  }
}
