import Type, { type Static, type TObject } from 'typebox';
import { tryParseLanguage } from '../../../../lib/language.ts';
import type { Context } from '../../../foundation/context.ts';
import { type ErrorDetail, invalid } from '../../../foundation/errors.ts';
import {
  attachStoredAudio,
  removeAudio,
  type StoredAudio,
} from '../../../publishing/audio/index.ts';
import { getEpisode } from '../../../publishing/episodes/index.ts';
import { attachImage, prepareImage, setEpisodeArtwork } from '../../../publishing/images/index.ts';
import { getPodcast } from '../../../publishing/podcasts/index.ts';
import {
  type LeftOut,
  type ParsedChapters,
  removeChapters,
  removeTranscript,
  setChapters,
  setFurtherTranscripts,
  setTranscript,
  type Transcript,
  TranscriptError,
} from '../../../publishing/transcripts/index.ts';
import {
  readNamedChapters,
  readNamedImage,
  readTranscript,
  type SeedFolder,
  storeAudio,
  tryField,
} from './named-files.ts';
import {
  AudioEntry,
  ChaptersEntry,
  list,
  NullablePath,
  nullable,
  OtherTranscriptEntry,
  TranscriptEntry,
} from './schema-parts.ts';

/** The contents of changed files; undefined: not changed, or removed. */
export interface EpisodeFiles {
  audio?: StoredAudio | undefined;
  /** The image's bytes. */
  artwork?: Buffer;
  transcript?: Transcript & { readonly language: string };
  otherTranscripts?: readonly OtherTranscript[];
  chapters?: ParsedChapters;
}

/** The fields that take files; null removes a file. */
export const fileFields = {
  audio: nullable(AudioEntry),
  artwork: Type.Optional(NullablePath),
  transcript: nullable(TranscriptEntry),
  other_transcripts: list(OtherTranscriptEntry),
  chapters: nullable(ChaptersEntry),
};
type Files = Static<TObject<typeof fileFields>>;

/** Reads all files and reports those that are invalid. Audio is stored already. */
export async function readEpisodeFiles(
  ctx: Context,
  podcastId: string,
  { audio, artwork, transcript, other_transcripts, chapters }: Files,
  folder: SeedFolder,
): Promise<EpisodeFiles & { readonly problems: readonly ErrorDetail[] }> {
  const files: EpisodeFiles = {};
  const { language } = await getPodcast(ctx, podcastId);
  const problems = [
    artwork != null &&
      (await tryField('artwork', async () => {
        files.artwork = await readNamedImage(folder, artwork);
        await prepareImage(ctx, files.artwork);
      })),
    transcript != null &&
      (await tryField('transcript', async () => {
        files.transcript = await readTranscript(ctx, folder, transcript, language);
      })),
    other_transcripts !== undefined &&
      (await tryField('other_transcripts', async () => {
        files.otherTranscripts = await readOtherTranscripts(ctx, folder, other_transcripts);
      })),
    chapters != null &&
      (await tryField('chapters', async () => {
        files.chapters = await readNamedChapters(ctx, folder, chapters);
      })),
    audio != null &&
      (await tryField('audio', async () => {
        files.audio = await storeAudio(ctx, folder, audio);
      })),
  ];
  return { ...files, problems: problems.filter((problem) => problem !== false && problem != null) };
}

/** What could not be used of each file of text, by its field. */
export function listLeftOut(files: EpisodeFiles): [field: string, leftOut: LeftOut][] {
  const { transcript, otherTranscripts = [], chapters } = files;
  const found: [string, LeftOut | undefined][] = [
    ['transcript', transcript?.leftOut],
    ...otherTranscripts.map(({ leftOut }) => ['other_transcripts', leftOut] as const),
    ['chapters', chapters?.leftOut],
  ].map(([field, leftOut]) => [field as string, leftOut as LeftOut | undefined]);
  return found.flatMap(([field, leftOut]) =>
    leftOut === undefined || leftOut.count === 0 ? [] : [[field, leftOut]],
  );
}

/** Call it in the transaction of the change; null removes a file. */
export async function attachFiles(
  tx: Context,
  episodeId: string,
  { audio, artwork, transcript, chapters }: Files,
  files: EpisodeFiles,
): Promise<void> {
  if (files.audio !== undefined) await attachStoredAudio(tx, episodeId, files.audio);
  if (audio === null) await removeAudio(tx, episodeId);
  if (files.artwork !== undefined) {
    const { podcastId } = await getEpisode(tx, episodeId);
    const { id } = await attachImage(tx, { podcastId, bytes: files.artwork });
    await setEpisodeArtwork(tx, episodeId, id);
  }
  if (artwork === null) await setEpisodeArtwork(tx, episodeId, null);
  if (files.transcript !== undefined) await setTranscript(tx, episodeId, files.transcript);
  if (transcript === null) await removeTranscript(tx, episodeId);
  if (files.otherTranscripts !== undefined) {
    await setOtherTranscripts(tx, episodeId, files.otherTranscripts);
  }
  if (files.chapters !== undefined) await setChapters(tx, episodeId, files.chapters.chapters);
  if (chapters === null) await removeChapters(tx, episodeId);
}

type OtherTranscript = Transcript & { readonly language: string };

/** Reads transcripts in other languages, in canonical spelling. */
export async function readOtherTranscripts(
  ctx: Context,
  folder: SeedFolder,
  entries: readonly OtherTranscriptEntry[],
): Promise<OtherTranscript[]> {
  const read: OtherTranscript[] = [];
  for (const entry of entries) {
    const language = tryParseLanguage(entry.language) ?? entry.language;
    read.push(await readTranscript(ctx, folder, { ...entry, language }, language));
  }
  return read;
}

/** Replaces the episode's transcripts in other languages. */
async function setOtherTranscripts(
  tx: Context,
  episodeId: string,
  transcripts: readonly OtherTranscript[],
): Promise<void> {
  try {
    await setFurtherTranscripts(tx, episodeId, transcripts);
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    throw invalid('other_transcripts', error.message);
  }
}
