import type { SpanSource } from '../../../../platform/processes/job.ts';
import type { Context } from '../../../foundation/context.ts';
import { authorize } from '../../../foundation/permissions/index.ts';
import { readForeignPart } from '../../../foundation/read-foreign.ts';
import { type Chapter, findChapters, setFirstChapters } from '../../transcripts/index.ts';
import { selectAudio } from '../audio.sql.ts';
import { AudioError } from '../audio-facts.ts';
import { refuseAudio } from '../read-audio-facts.ts';
import type { TaggedFile } from './chapters-task.ts';
import type { FileChapter } from './file-chapter.ts';

/**
 * Gives an episode that has no chapters those in the tags of its audio. Chapters that somebody made
 * stay. Returns the new ones. A failure is only logged, because the audio is stored already.
 */
export async function takeFileChapters(
  ctx: Context,
  episodeId: string,
): Promise<readonly Chapter[]> {
  try {
    if ((await findChapters(ctx, episodeId)) !== undefined) return [];
    const found = await readFileChapters({ ...ctx, abandoned: undefined }, episodeId);
    const chapters = found.map(({ hasImage: _inFile, ...chapter }) => chapter);
    if (chapters.length === 0) return [];
    return (await setFirstChapters(ctx, episodeId, chapters)) ? chapters : [];
  } catch (err) {
    ctx.log.warn({ err, episodeId }, "chapters from an audio file's tags were not used");
    return [];
  }
}

const job = {
  ...{ module: new URL('./chapters-task.ts', import.meta.url), task: 'taggedChapters' },
  // A thousand titles and links; a thousand requests to a remote store.
  limits: { memoryMb: 512, cpuMs: 10_000, wallMs: 120_000, resultBytes: 8 * 1024 * 1024 },
  ...{ refusals: [AudioError], refuse: refuseAudio },
};

/**
 * The chapters in the tags of the episode's audio: ID3v2 of MP3 and AAC, both kinds of MP4, and comments
 * of Opus, Ogg Vorbis and FLAC. Empty if there are none, or the audio is elsewhere.
 */
export async function readFileChapters(ctx: Context, episodeId: string): Promise<FileChapter[]> {
  await authorize(ctx, 'episode.edit', { episodeId });
  const audio = await selectAudio(ctx.db, episodeId);
  if (audio?.blobKey == null) return [];
  const { blobKey, contentType } = audio;
  const file: TaggedFile = { contentType, sizeBytes: audio.sizeBytes ?? 0 };
  const spans: SpanSource = ({ at, length }) =>
    ctx.blobs.read(blobKey, { start: at, end: at + length - 1 });
  try {
    return await readForeignPart<FileChapter[]>(ctx, { ...job, input: file, spans });
  } catch (error) {
    // A file that plays may have damaged chapters.
    if (error instanceof AudioError) return [];
    throw error;
  }
}
