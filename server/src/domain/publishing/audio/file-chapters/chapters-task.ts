import type { ReadSpan } from '../../../../platform/processes/job.ts';
import { completeChapter } from '../../transcripts/parsing/index.ts';
import type { ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { id3v2BytesAt } from '../audio-formats/tags.ts';
import type { FileChapter, RawFileChapter } from './file-chapter.ts';
import { parseId3Chapters } from './parse-id3-chapters.ts';
import { readFlacChapters, readOggChapters } from './read-comment-chapters.ts';
import { readMp4Chapters } from './read-mp4-chapters.ts';

// In a child process: the chapters in the tags of an audio file.

export interface TaggedFile {
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** The part of a tag that is read, pictures included. Chapters behind it are missed. */
const maxTagBytes = 16 * 1024 * 1024;

/** Yields one list, in order of time. Throws AudioError for a damaged MP4 file. */
export async function* taggedChapters(
  file: TaggedFile,
  _: unknown,
  readSpan: ReadSpan,
): AsyncGenerator<FileChapter[]> {
  const readBytes: ReadBytes = async (at, length) =>
    at >= file.sizeBytes || length <= 0 ? Buffer.alloc(0) : await readSpan({ at, length });
  yield complete(await readRaw(file, readBytes));
}

async function readRaw(
  { contentType, sizeBytes }: TaggedFile,
  readBytes: ReadBytes,
): Promise<RawFileChapter[]> {
  if (contentType.endsWith('/mp4')) return await readMp4Chapters(readBytes, sizeBytes);
  if (contentType === 'audio/ogg') return await readOggChapters(readBytes, maxTagBytes);
  if (contentType === 'audio/flac') return await readFlacChapters(readBytes, maxTagBytes);
  const tagBytes = id3v2BytesAt(await readBytes(0, 10), 0);
  if (tagBytes === 0) return [];
  return parseId3Chapters(await readBytes(0, Math.min(tagBytes, maxTagBytes)));
}

function complete(raw: readonly RawFileChapter[]): FileChapter[] {
  return raw
    .flatMap(({ hasImage = false, ...rest }) =>
      completeChapter(rest).map((chapter) => ({ ...chapter, hasImage })),
    )
    .sort((one, other) => one.startMs - other.startMs);
}
