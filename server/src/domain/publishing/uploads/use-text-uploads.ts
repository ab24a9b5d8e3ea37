import { tryParseLanguage } from '../../../lib/language.ts';
import type { FileSource } from '../../../platform/processes/job.ts';
import type { Context } from '../../foundation/context.ts';
import type { UploadPurpose } from '../../foundation/enumerations.ts';
import { invalid } from '../../foundation/errors.ts';
import { takeLongWrite } from '../../foundation/long-writes.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import type { Expectation } from '../../foundation/revisions/index.ts';
import { getEpisode } from '../episodes/index.ts';
import { getPodcast } from '../podcasts/index.ts';
import {
  countSegmentBytes,
  type LeftOut,
  measureTranscript,
  nothingLeftOut,
  setChapters,
  setTranscript,
  TextReader,
  type TranscriptFacts,
} from '../transcripts/index.ts';
import { claimFinished, type Revised, type SentFile } from './claim-finished.ts';
import { uploadedFile } from './use-image-upload.ts';

interface TextUse extends SentFile {
  readonly episodeId: string;
}

/**
 * Replaces the episode's first transcript with an uploaded file. Its language is the given one,
 * that of the file, or that of the show. Throws, and removes the file, if it is not a transcript.
 */
export async function useTranscriptUpload(
  ctx: Context,
  { language: given, ...use }: TextUse & { readonly language: string | undefined },
  expectation?: Expectation,
): Promise<TranscriptFacts & { readonly leftOut: LeftOut } & Revised> {
  const { podcastId } = await authorize(ctx, 'episode.edit', use);
  const canonical = given === undefined ? undefined : tryParseLanguage(given);
  if (given !== undefined && canonical === undefined) {
    throw invalid('language', 'This must be a language tag, such as en or pt-BR.');
  }
  return await useText(ctx, { ...use, podcastId, purpose: 'transcript' }, async (file, reader) => {
    const read = await reader.transcript(file, undefined);
    const said = read.language === undefined ? undefined : tryParseLanguage(read.language);
    const language = canonical ?? said ?? (await getPodcast(ctx, podcastId)).language;
    const transcript = { ...read, language };
    return {
      bytes: countSegmentBytes(read.segments),
      replacedBytes: await measureTranscript(ctx, use.episodeId),
      commit: (tx) => setTranscript(tx, use.episodeId, transcript, expectation),
      result: {
        language,
        hasTimes: read.hasTimes,
        segmentCount: read.segments.length,
        wordCount: read.wordCount,
        leftOut: read.leftOut ?? nothingLeftOut,
      },
    };
  });
}

/** Replaces the episode's chapters with an uploaded file. */
export async function useChaptersUpload(
  ctx: Context,
  use: TextUse,
  expectation?: Expectation,
): Promise<{ readonly chapterCount: number; readonly leftOut: LeftOut } & Revised> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId: use.episodeId });
  return await useText(ctx, { ...use, podcastId, purpose: 'chapters' }, async (file, reader) => {
    const { chapters, leftOut } = await reader.chapters(file);
    return {
      bytes: 0,
      commit: (tx) => setChapters(tx, use.episodeId, chapters, expectation),
      result: { chapterCount: chapters.length, leftOut },
    };
  });
}

interface ReadText<Result> {
  /** What is written, unless it is always little. */
  readonly bytes: number;
  /** What is deleted. */
  readonly replacedBytes?: number;
  readonly commit: (tx: Context) => Promise<void>;
  readonly result: Result;
}

async function useText<Result extends object>(
  ctx: Context,
  use: TextUse & { readonly podcastId: string; readonly purpose: UploadPurpose },
  readText: (file: FileSource, reader: TextReader) => Promise<ReadText<Result>>,
): Promise<Result & Revised> {
  await using finished = await claimFinished(ctx, use);
  const file = uploadedFile(ctx, finished);
  const reader = new TextReader(ctx);
  const read = await finished.check(() => readText(file, reader));
  const { bytes, replacedBytes = 0, commit, result } = read;
  using _turn = await takeLongWrite(ctx, {
    bytes: Math.max(bytes, replacedBytes),
    heldBytes: bytes,
  });
  return await finished.use(
    () => Promise.resolve(result),
    async (tx) => {
      await commit(tx);
      return { ...result, revision: (await getEpisode(tx, use.episodeId)).revision };
    },
  );
}
