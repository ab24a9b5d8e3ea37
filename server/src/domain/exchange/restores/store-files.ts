import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Context } from '../../foundation/context.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { AudioError, storeAudioCopy } from '../../publishing/audio/index.ts';
import { detectImageKind, imageKey, maxImageBytes } from '../../publishing/images/index.ts';
import { damaged, type ShowExport } from './show-export.ts';
import type { ExportedFile, Survey } from './survey.ts';

/** The keys of what was stored. */
export interface StoredFiles {
  /** By the id that the episode gets. */
  readonly audio: ReadonlyMap<string, string>;
  /** All keys, with the hash that each must have. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** Stores the files of an export, and checks that they are what the rows say. */
export async function storeFiles(
  ctx: Context,
  show: ShowExport,
  { audio, images, ids }: Survey,
  { signal, onProgress }: WorkOptions,
): Promise<StoredFiles> {
  const stored = new Map<string, string>();
  const hashes = new Map<string, string>();
  const total = audio.length + images.length;
  const note = (key: string, { sha256 }: ExportedFile) => {
    hashes.set(key, sha256);
    onProgress?.({ stage: 'files', done: hashes.size, total });
    signal?.throwIfAborted();
  };
  for (const image of images) note(await storeImageFile(ctx, show, ids.of(image.id), image), image);
  for (const file of audio) {
    const key = await storeAudioOf(ctx, show, file);
    stored.set(ids.of(file.id), key);
    note(key, file);
  }
  return { audio: stored, hashes };
}

async function storeImageFile(
  ctx: Context,
  show: ShowExport,
  id: string,
  { path, contentType, sha256 }: ExportedFile,
): Promise<string> {
  await using file = await show.openFile(path);
  const bytes = await readSmall(file, path);
  if (hash('sha256', bytes) !== sha256) throw damaged(`${path} has other bytes than its row says`);
  if (!isImage(bytes, contentType)) throw damaged(`${path} is not ${contentType}`);
  const key = imageKey(id, contentType);
  await ctx.blobs.put(key, bytes, contentType);
  return key;
}

async function readSmall(file: FileHandle, path: string): Promise<Buffer> {
  if ((await file.stat()).size > maxImageBytes) throw damaged(`${path} is too large`);
  return await file.readFile();
}

function isImage(bytes: Buffer, contentType: string): boolean {
  try {
    return `image/${detectImageKind(bytes)}` === contentType;
  } catch {
    return false;
  }
}

async function storeAudioOf(
  ctx: Context,
  show: ShowExport,
  { path, contentType, sha256 }: ExportedFile,
): Promise<string> {
  await using file = await show.openFile(path);
  const { blobKey, facts } = await storeAudioCopy(ctx, file).catch((error: unknown) => {
    throw error instanceof AudioError ? damaged(`${path} is not audio`) : error;
  });
  if (facts.sha256 !== sha256) throw damaged(`${path} has other bytes than its row says`);
  if (facts.contentType !== contentType) throw damaged(`${path} is not ${contentType}`);
  return blobKey;
}
