import { buffer } from 'node:stream/consumers';
import type { Context } from '../../context.ts';
import { authorize } from '../../permissions/index.ts';
import { type Chapter, completeChapter } from '../../transcripts/index.ts';
import { AudioError } from '../audio-facts.ts';
import type { ReadBytes } from '../audio-formats/mp4-boxes.ts';
import { id3v2BytesAt } from '../audio-formats/tags.ts';
import { type AudioRow, selectAudio } from '../media.sql.ts';
import { readId3Chapters } from '../read-audio-facts.ts';
import type { RawFileChapter } from './file-chapter.ts';
import { readFlacChapters, readOggChapters } from './read-comment-chapters.ts';
import { readMp4Chapters } from './read-mp4-chapters.ts';

/** A chapter in the tags of an audio file. */
export interface FileChapter extends Chapter {
  /** Whether the file has a picture for it. The picture stays in the file. */
  readonly hasImage: boolean;
}

/** The part of a tag that is read, pictures included. Chapters behind it are missed. */
const maxTagBytes = 16 * 1024 * 1024;

/**
 * The chapters in the tags of the episode's audio: ID3v2 of MP3 and AAC, both kinds of MP4, and comments
 * of Opus, Ogg Vorbis and FLAC. Empty if there are none, or the audio is elsewhere.
 */
export async function readFileChapters(ctx: Context, episodeId: string): Promise<FileChapter[]> {
  await authorize(ctx, 'episode.edit', { episodeId });
  const audio = await selectAudio(ctx.db, episodeId);
  if (audio?.blobKey == null) return [];
  try {
    return complete(await readRaw(ctx, { ...audio, blobKey: audio.blobKey }));
  } catch (error) {
    // A file that plays may have damaged chapters.
    if (error instanceof AudioError) return [];
    throw error;
  }
}

async function readRaw(
  ctx: Context,
  { blobKey, sizeBytes, contentType }: AudioRow & { readonly blobKey: string },
): Promise<RawFileChapter[]> {
  const size = sizeBytes ?? 0;
  const readBytes: ReadBytes = async (at, length) => {
    if (at >= size || length <= 0) return Buffer.alloc(0);
    const span = { start: at, end: Math.min(size, at + length) - 1 };
    return await buffer(await ctx.blobs.read(blobKey, span));
  };
  if (contentType.endsWith('/mp4')) return await readMp4Chapters(readBytes, size);
  if (contentType === 'audio/ogg') return await readOggChapters(readBytes, maxTagBytes);
  if (contentType === 'audio/flac') return await readFlacChapters(readBytes, maxTagBytes);
  const tagBytes = id3v2BytesAt(await readBytes(0, 10), 0);
  if (tagBytes === 0) return [];
  return await readId3Chapters(ctx, await readBytes(0, Math.min(tagBytes, maxTagBytes)));
}

function complete(raw: readonly RawFileChapter[]): FileChapter[] {
  return raw
    .flatMap(({ hasImage = false, ...rest }) =>
      completeChapter(rest).map((chapter) => ({ ...chapter, hasImage })),
    )
    .sort((one, other) => one.startMs - other.startMs);
}
