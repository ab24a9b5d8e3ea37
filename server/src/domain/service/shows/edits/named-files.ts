import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NotAFileError, openRegularFile } from '../../../../platform/files/open-regular-file.ts';
import type { Context } from '../../../foundation/context.ts';
import { type ErrorDetail, FileError } from '../../../foundation/errors.ts';
import type { ReadingContext } from '../../../foundation/read-foreign.ts';
import { type StoredAudio, storeAudioCopy, storeTone } from '../../../publishing/audio/index.ts';
import { maxImageBytes } from '../../../publishing/images/index.ts';
import {
  decodeText,
  type ParsedChapters,
  parseChapters,
  parseTranscript,
  TextReader,
  type Transcript,
} from '../../../publishing/transcripts/index.ts';
import type { AudioEntry, ChaptersEntry, TranscriptEntry } from './schema-parts.ts';

// More than transcripts and chapters may have, so that their own limits apply.
const maxTextBytes = 16 * 1024 * 1024;
/** Parsed in milliseconds; starting a process would take longer. */
const atOnceBytes = 100_000;

/** Paths of a seed file are relative to its folder. */
export interface SeedFolder {
  readonly path: string;
}

export async function readTranscript(
  ctx: ReadingContext,
  folder: SeedFolder,
  entry: TranscriptEntry,
  showLanguage: string,
): Promise<Transcript & { readonly language: string }> {
  const bytes = await readText(folder, entry);
  const transcript =
    bytes.length <= atOnceBytes
      ? parseTranscript(decodeText(bytes))
      : await new TextReader(ctx).transcript(bytes, undefined);
  return { ...transcript, language: entry.language ?? showLanguage };
}

export async function readNamedChapters(
  ctx: ReadingContext,
  folder: SeedFolder,
  entry: ChaptersEntry,
): Promise<ParsedChapters> {
  const bytes = await readText(folder, entry);
  if (bytes.length <= atOnceBytes) return parseChapters(decodeText(bytes));
  return await new TextReader(ctx).chapters(bytes);
}

export async function readNamedImage(folder: SeedFolder, path: string): Promise<Buffer> {
  return await readBounded(resolve(folder.path, path), maxImageBytes);
}

export async function storeAudio(
  ctx: Context,
  folder: SeedFolder,
  entry: AudioEntry,
): Promise<StoredAudio> {
  if (entry.file === undefined) return await storeTone(ctx, entry.tone_seconds ?? 1);
  await using file = await openFile(resolve(folder.path, entry.file));
  return await storeAudioCopy(ctx, file);
}

/** The problem of a field's file, if any. */
export async function tryField(
  field: string,
  read: () => Promise<unknown>,
): Promise<ErrorDetail | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    const message = tryExplainFile(error);
    if (message === undefined) throw error;
    return { field, message };
  }
}

/** Explains why a file is invalid; undefined for other errors. */
export function tryExplainFile(error: unknown): string | undefined {
  return error instanceof FileError ? error.message : undefined;
}

async function readText(
  folder: SeedFolder,
  entry: { readonly file?: string; readonly text?: string },
): Promise<Buffer> {
  if (entry.file === undefined) return Buffer.from(entry.text ?? '');
  return await readBounded(resolve(folder.path, entry.file), maxTextBytes);
}

/** Reads at most the measured size, also from a growing file. */
export async function readBounded(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  if (size > maxBytes) {
    throw new FileError('unreadable', `${path} is too large; the limit is ${maxBytes} bytes.`);
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}

function openFile(path: string): Promise<FileHandle> {
  return openRegularFile(path).catch((error) => refuseFile(path, error));
}

function refuseFile(path: string, cause: unknown): never {
  if (cause instanceof NotAFileError) throw new FileError('unreadable', cause.message, { cause });
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EACCES')
    throw new FileError('unreadable', `${path} cannot be read: permission denied.`, { cause });
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    throw new FileError('unreadable', `There is no file ${path}.`, { cause });
  }
  if (code === 'ENAMETOOLONG') throw new FileError('unreadable', `${path} is too long.`, { cause });
  if (code === 'ELOOP') {
    throw new FileError('unreadable', `${path} is a link that leads nowhere.`, { cause });
  }
  throw cause;
}
