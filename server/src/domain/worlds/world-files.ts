import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import {
  AudioError,
  ImageError,
  maxImageBytes,
  type StoredAudio,
  storeAudioCopy,
  storeTone,
} from '../media/index.ts';
import {
  type Chapter,
  ChaptersError,
  parseChapters,
  parseTranscript,
  type Transcript,
  TranscriptError,
} from '../transcripts/index.ts';
import type { AudioEntry, ChaptersEntry, TranscriptEntry } from './schema.ts';

// Above what transcripts and chapters may have, so that those say so themselves.
const maxTextBytes = 16 * 1024 * 1024;

/** A path names nothing that can be read. */
class UnreadableFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableFileError';
  }
}

/** What a world file names or holds: paths are relative to its folder. */
export interface WorldFolder {
  readonly path: string;
}

export async function readTranscript(
  folder: WorldFolder,
  entry: TranscriptEntry,
  showLanguage: string,
): Promise<Transcript & { readonly language: string }> {
  const transcript = parseTranscript(await readText(folder, entry));
  return { ...transcript, language: entry.language ?? showLanguage };
}

export async function readChapters(folder: WorldFolder, entry: ChaptersEntry): Promise<Chapter[]> {
  return parseChapters(await readText(folder, entry));
}

export async function readImage(folder: WorldFolder, path: string): Promise<Buffer> {
  return await readBounded(resolve(folder.path, path), maxImageBytes);
}

export async function storeAudio(
  ctx: Context,
  folder: WorldFolder,
  entry: AudioEntry,
): Promise<StoredAudio> {
  if (entry.file === undefined) return await storeTone(ctx, entry.tone_seconds ?? 1);
  const path = resolve(folder.path, entry.file);
  await measure(path);
  return await storeAudioCopy(ctx, path);
}

/** Why a file of the world cannot be taken; undefined: the error is about something else. */
export function tryExplainFile(error: unknown): string | undefined {
  const isTold = [UnreadableFileError, AudioError, ImageError, TranscriptError, ChaptersError].some(
    (kind) => error instanceof kind,
  );
  return isTold ? (error as Error).message : undefined;
}

async function readText(
  folder: WorldFolder,
  entry: { readonly file?: string; readonly text?: string },
): Promise<string> {
  if (entry.file === undefined) return entry.text ?? '';
  return (await readBounded(resolve(folder.path, entry.file), maxTextBytes)).toString('utf8');
}

/** Of a pipe, or a file that grows, no more than what was measured is read. */
export async function readBounded(path: string, maxBytes: number): Promise<Buffer> {
  const size = await measure(path);
  if (size > maxBytes) {
    throw new UnreadableFileError(`${path} is too large: ${maxBytes} bytes at most.`);
  }
  await using file = await open(path, 'r').catch((error) => refuseFile(path, error));
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}

async function measure(path: string): Promise<number> {
  const found = await stat(path).catch((error) => refuseFile(path, error));
  if (!found.isFile()) throw new UnreadableFileError(`${path} is no file.`);
  return found.size;
}

function refuseFile(path: string, cause: unknown): never {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EACCES') throw new UnreadableFileError(`${path} may not be read.`, { cause });
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    throw new UnreadableFileError(`There is no file ${path}.`, { cause });
  }
  throw cause;
}
