import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Context } from '../../foundation/context.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { AudioError, type StoredAudio, storeAudioCopy } from '../../publishing/audio/index.ts';
import {
  detectImageKind,
  type ImageContentType,
  ImageError,
  imageKey,
  maxImageBytes,
  storeImageCopy,
} from '../../publishing/images/index.ts';
import { damaged, type ShowExport } from './show-export.ts';
import type { ExportedFile, ExportedImage, Survey } from './survey.ts';

/** What was stored. */
export interface StoredFiles {
  /** By the id that the episode gets. */
  readonly audio: ReadonlyMap<string, StoredAudio>;
  /** All keys, with the hash that each must have. */
  readonly hashes: Map<string, string>;
}

/** Stores the audio of an export, and checks that it is what the rows say. */
export async function storeAudioFiles(
  ctx: Context,
  show: ShowExport,
  survey: Survey,
  { signal, onProgress }: WorkOptions,
): Promise<StoredFiles> {
  const stored = new Map<string, StoredAudio>();
  const hashes = new Map<string, string>();
  for (const file of survey.audio) {
    signal?.throwIfAborted();
    const audio = await storeAudioOf(ctx, show, file);
    stored.set(survey.ids.of(file.id), audio);
    hashes.set(audio.blobKey, file.sha256);
    onProgress?.({ stage: 'files', done: hashes.size, total: countFiles(survey) });
  }
  return { audio: stored, hashes };
}

/**
 * The same for pictures, whose keys contain their ids: call it when their rows are there. Of two restores at
 * once, the second then fails before it could write, or delete, the files of the first.
 */
export async function storeImageFilesOf(
  ctx: Context,
  show: ShowExport,
  survey: Survey,
  { hashes }: StoredFiles,
  { signal, onProgress }: WorkOptions,
): Promise<void> {
  for (const image of survey.images) {
    signal?.throwIfAborted();
    hashes.set(await storeImageOf(ctx, show, survey.ids.of(image.id), image), image.sha256);
    onProgress?.({ stage: 'files', done: hashes.size, total: countFiles(survey) });
  }
}

const countFiles = ({ audio, images }: Survey) => audio.length + images.length;

async function storeImageOf(
  ctx: Context,
  show: ShowExport,
  id: string,
  { path, contentType, sha256, sizeBytes, width, height }: ExportedImage,
): Promise<string> {
  await using file = await show.openFile(path);
  const bytes = await readSmall(file, path);
  if (hash('sha256', bytes) !== sha256 || bytes.length !== sizeBytes)
    throw damaged(`${path} has other bytes than its row says`);
  if (!isOfType(bytes, contentType)) throw damaged(`${path} is not ${contentType}`);
  const pixels = await storeImageCopy(ctx, { id, contentType, bytes }).catch((error: unknown) => {
    throw error instanceof ImageError ? damaged(`${path} is not a picture`) : error;
  });
  if (pixels.width !== width || pixels.height !== height)
    throw damaged(`${path} has another size than its row says`);
  return imageKey(id, contentType);
}

async function readSmall(file: FileHandle, path: string): Promise<Buffer> {
  if ((await file.stat()).size > maxImageBytes) throw damaged(`${path} is too large`);
  return await file.readFile();
}

function isOfType(bytes: Buffer, contentType: string): contentType is ImageContentType {
  try {
    return `image/${detectImageKind(bytes)}` === contentType;
  } catch {
    return false;
  }
}

async function storeAudioOf(
  ctx: Context,
  show: ShowExport,
  { path, contentType, sha256, sizeBytes }: ExportedFile,
): Promise<StoredAudio> {
  await using file = await show.openFile(path);
  const { blobKey, facts } = await storeAudioCopy(ctx, file).catch((error: unknown) => {
    throw error instanceof AudioError ? damaged(`${path} is not audio`) : error;
  });
  if (facts.sha256 !== sha256 || facts.sizeBytes !== sizeBytes)
    throw damaged(`${path} has other bytes than its row says`);
  if (facts.contentType !== contentType || !path.endsWith(`.${facts.extension}`))
    throw damaged(`${path} is not ${contentType}`);
  return { blobKey, facts };
}
