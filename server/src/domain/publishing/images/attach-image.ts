import { newId } from '../../../lib/uuid.ts';
import type { JobFile } from '../../../platform/processes/job.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type ReadingContext, readForeign } from '../../foundation/read-foreign.ts';
import type { Expectation } from '../../foundation/revisions/index.ts';
import { requireStorage } from '../../foundation/storage/index.ts';
import { keepingFiles } from '../../foundation/store-and-commit.ts';
import { updateEpisode } from '../episodes/index.ts';
import { updatePodcast } from '../podcasts/index.ts';
import { ImageError, type PreparedImage } from './image.ts';
import { imageKey, imageVariantKey } from './image-keys.ts';
import {
  type ImageRow,
  insertImage,
  renewUnnamedImage,
  selectImage,
  selectImageId,
} from './images.sql.ts';
import type { PictureFacts } from './picture-task.ts';
import { type ImageUse, maxImageBytes } from './read-image.ts';

/** A picture that a podcast keeps. */
export interface AttachedImage {
  readonly id: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

export interface NewImage extends ImageUse {
  readonly podcastId: string;
  /** As uploaded; `prepareImage` says which pictures are accepted. */
  readonly file: JobFile;
  /** The permission that is needed; default: that for an episode's picture. */
  readonly action?: 'episode.edit' | 'podcast.edit' | 'people.edit' | undefined;
  /** Where an import found it, so that the next import need not fetch it again. */
  readonly sourceUrl?: string | undefined;
}

/**
 * A picture whose files are stored. Its row exists only if the picture was known before. If that
 * has been purged since, it gets a new one with the same id: its files are still there.
 */
export interface StoredImage {
  readonly id: string;
  readonly podcastId: string;
  readonly image: PreparedImage;
  readonly sourceUrl: string | null;
}

/**
 * Adds a picture to the podcast, for use as artwork or photo. The same picture is stored once.
 * Throws ImageError if it cannot be used.
 */
export async function attachImage(
  ctx: Context,
  { bytes: file, ...input }: Omit<NewImage, 'file'> & { readonly bytes: Buffer },
): Promise<AttachedImage> {
  // Before files are stored that the row then could not have.
  await requireStorage(ctx, input.podcastId, { bytes: file.length });
  return await attachStoredImage(ctx, await storeImage(ctx, { ...input, file }));
}

/** The first half: stores the files, so that no row ever names missing ones. */
export async function storeImage(ctx: Context, input: NewImage): Promise<StoredImage> {
  const { action = 'episode.edit', podcastId, sourceUrl = null, isWide = false } = input;
  await authorize(ctx, action, { podcastId });
  const image = await prepareImage(ctx, input.file, { isWide });
  const known = await selectImageId(ctx.db, podcastId, { sha256: image.sha256 });
  if (known === undefined) {
    const id = newId();
    await storeImageFiles(ctx, id, image);
    return { id, podcastId, image, sourceUrl };
  }
  await storeMissingFiles(keepingFiles(ctx), known, image);
  return { id: known, podcastId, image, sourceUrl };
}

/**
 * The second half: writes the row. `isReserved`: the account's storage counts the bytes already;
 * otherwise throws if it has no room for them.
 */
export async function attachStoredImage(
  ctx: Context,
  { id, podcastId, image, sourceUrl }: StoredImage,
  { isReserved = false }: { readonly isReserved?: boolean } = {},
): Promise<AttachedImage> {
  const { contentType, width, height, sha256, color } = image;
  const sizeBytes = image.bytes.length;
  const row = { id, podcastId, contentType, width, height, sizeBytes, sha256, color, sourceUrl };
  const keptId = await transact(ctx, async (tx) => {
    const { id: kept, isNew } = await insertImage(tx.db, row, tx.clock.now());
    if (isNew && !isReserved) {
      await requireStorage(tx, podcastId, { bytes: sizeBytes, areCounted: true });
    }
    return kept;
  });
  // Another request has stored the same picture since.
  if (keptId !== id) await removeImageFiles(ctx, id, image);
  return { id: keptId, contentType, width, height };
}

export function findImage(
  ctx: Context,
  imageId: string,
): Promise<Pick<ImageRow, 'id' | 'contentType' | 'width' | 'height'> | undefined> {
  return selectImage(ctx.db, imageId);
}

/** The picture that an import found at this address before. */
export function findImageBySource(
  ctx: Context,
  podcastId: string,
  sourceUrl: string,
): Promise<string | undefined> {
  return selectImageId(ctx.db, podcastId, { source_url: sourceUrl });
}

/** The same for an import that is about to name it: it stays for that. */
export async function reuseImageBySource(
  ctx: Context,
  podcastId: string,
  sourceUrl: string,
): Promise<string | undefined> {
  await renewUnnamedImage(ctx.db, podcastId, sourceUrl, ctx.clock.now());
  return findImageBySource(ctx, podcastId, sourceUrl);
}

/** Null removes the artwork. */
export async function setPodcastArtwork(
  ctx: Context,
  podcastId: string,
  imageId: string | null,
  expectation?: Expectation,
): Promise<void> {
  await updatePodcast(ctx, podcastId, { artworkId: imageId }, expectation);
}

/** The picture behind the title on the show's page; null removes it. */
export async function setHeaderImage(
  ctx: Context,
  podcastId: string,
  imageId: string | null,
  expectation?: Expectation,
): Promise<void> {
  await updatePodcast(ctx, podcastId, { headerImageId: imageId }, expectation);
}

/** With null, the episode shows the show's artwork again. */
export async function setEpisodeArtwork(
  ctx: Context,
  episodeId: string,
  imageId: string | null,
  expectation?: Expectation,
): Promise<void> {
  await updateEpisode(ctx, episodeId, { artworkId: imageId }, expectation);
}

/**
 * Stores a picture as another installation has stored it, and its smaller sizes. Throws ImageError if it is not
 * a picture. Returns its size in pixels.
 */
export async function storeImageCopy(
  ctx: Context,
  {
    id,
    contentType,
    bytes,
  }: Pick<AttachedImage, 'id'> & Pick<PreparedImage, 'contentType' | 'bytes'>,
): Promise<Pick<AttachedImage, 'width' | 'height'>> {
  const image = await prepareImage(ctx, bytes);
  await storeImageFiles(ctx, id, { ...image, contentType, bytes });
  return { width: image.width, height: image.height };
}

interface ImageFile {
  readonly key: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** The original, and its smaller sizes. */
const filesOf = (id: string, { bytes, contentType, variants }: PreparedImage): ImageFile[] => [
  { key: imageKey(id, contentType), bytes, contentType },
  ...variants.map((one) => {
    const key = imageVariantKey(id, one.boxPx);
    return { key, bytes: one.bytes, contentType: 'image/jpeg' };
  }),
];

async function storeImageFiles(ctx: Context, id: string, image: PreparedImage): Promise<void> {
  for (const { key, bytes, contentType } of filesOf(id, image))
    await ctx.blobs.put(key, bytes, contentType);
}

/** A known picture may have been narrow so far, or have lost files. */
async function storeMissingFiles(ctx: Context, id: string, image: PreparedImage): Promise<void> {
  for (const { key, bytes, contentType } of filesOf(id, image))
    if ((await ctx.blobs.stat(key)) === undefined) await ctx.blobs.put(key, bytes, contentType);
}

async function removeImageFiles(ctx: Context, id: string, image: PreparedImage): Promise<void> {
  for (const { key } of filesOf(id, image)) await ctx.blobs.delete(key);
}

const module = new URL('./picture-task.ts', import.meta.url);
/** The largest pictures take 700 MB and 10 s. */
const limits = {
  memoryMb: 1_280,
  cpuMs: 40_000,
  wallMs: 180_000,
  resultBytes: 4 * maxImageBytes,
};

/** `readImage`, in a child process. Throws ImageError. */
export async function prepareImage(
  ctx: ReadingContext,
  file: JobFile,
  use: ImageUse = {},
): Promise<PreparedImage> {
  let facts: PictureFacts | undefined;
  let files: readonly Buffer[] = [];
  let [at, filled] = [0, 0];
  const what = { module, task: 'picture', input: use, files: [file] };
  const job = { ...what, limits, refusals: [ImageError], refuse };
  await readForeign(ctx, job, (part) => {
    if (!(part instanceof Uint8Array)) {
      facts = part as PictureFacts;
      files = facts.fileSizes.map((size) => Buffer.allocUnsafeSlow(size));
      return;
    }
    files[at]?.set(part, filled);
    filled += part.length;
    if (filled === files[at]?.length) [at, filled] = [at + 1, 0];
  });
  if (facts === undefined) throw new Error('the facts of the picture are missing');
  const { fileSizes: _, variants, ...image } = facts;
  const [bytes, ...others] = files as [Buffer, ...Buffer[]];
  return {
    ...image,
    bytes,
    variants: variants.map((variant, index) => ({ ...variant, bytes: others[index] as Buffer })),
  };
}

function refuse(cause: unknown): ImageError {
  const message = 'The picture takes too long to read. Save it again as JPEG or PNG.';
  return new ImageError('too_complex', message, { cause });
}
