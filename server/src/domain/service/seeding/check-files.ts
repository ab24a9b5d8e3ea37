import type { Context } from '../../foundation/context.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { prepareImage } from '../../publishing/images/index.ts';
import {
  readNamedChapters,
  readNamedImage,
  readOtherTranscripts,
  readTranscript,
  type SeedFolder,
  tryField,
} from '../shows/edits/index.ts';
import type { EpisodeEntry, PodcastEntry, SeedFile } from './schema.ts';

/** Reports invalid images, transcripts and chapters; audio is checked when it is stored. */
export async function checkFiles(
  ctx: Context,
  seedFile: SeedFile,
  folder: SeedFolder,
  signal: AbortSignal | undefined,
): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  for (const { field, read } of listFiles(ctx, seedFile, folder)) {
    signal?.throwIfAborted();
    const problem = await tryField(field, read);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

interface NamedFile {
  readonly field: string;
  /** Reads the file to check it. */
  read(): Promise<unknown>;
}

function* listFiles(ctx: Context, seedFile: SeedFile, folder: SeedFolder): Generator<NamedFile> {
  for (const [index, podcast] of (seedFile.podcasts ?? []).entries()) {
    const path = `podcasts[${index}]`;
    yield* listPictures(ctx, podcast, path, folder);
    for (const [number, episode] of (podcast.episodes ?? []).entries()) {
      yield* listEpisodeFiles(ctx, episode, `${path}.episodes[${number}]`, folder);
    }
  }
}

function* listPictures(
  ctx: Context,
  podcast: PodcastEntry,
  path: string,
  folder: SeedFolder,
): Generator<NamedFile> {
  const pictures = [
    { field: `${path}.artwork`, picture: podcast.artwork },
    { field: `${path}.header_image`, picture: podcast.header_image },
    ...(podcast.people ?? []).map(({ photo }, index) => ({
      field: `${path}.people[${index}].photo`,
      picture: photo,
    })),
  ];
  for (const { field, picture } of pictures) {
    if (picture == null) continue;
    yield { field, read: async () => prepareImage(ctx, await readNamedImage(folder, picture)) };
  }
}

function* listEpisodeFiles(
  ctx: Context,
  { artwork, transcript, other_transcripts, chapters }: EpisodeEntry,
  path: string,
  folder: SeedFolder,
): Generator<NamedFile> {
  if (artwork != null) {
    yield {
      field: `${path}.artwork`,
      read: async () => prepareImage(ctx, await readNamedImage(folder, artwork)),
    };
  }
  if (transcript != null) {
    yield {
      field: `${path}.transcript`,
      read: () => readTranscript(ctx, folder, transcript, 'en'),
    };
  }
  if (other_transcripts !== undefined) {
    const field = `${path}.other_transcripts`;
    yield { field, read: () => readOtherTranscripts(ctx, folder, other_transcripts) };
  }
  if (chapters != null) {
    yield { field: `${path}.chapters`, read: () => readNamedChapters(ctx, folder, chapters) };
  }
}
