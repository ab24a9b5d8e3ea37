import type { ErrorDetail } from '../errors.ts';
import { prepareImage } from '../media/index.ts';
import type { EpisodeEntry, PodcastEntry, World } from './schema.ts';
import {
  readChapters,
  readImage,
  readTranscript,
  tryExplainFile,
  type WorldFolder,
} from './world-files.ts';

/** Pictures, transcripts and chapters that cannot be taken; audio is seen when it is stored. */
export async function checkFiles(
  world: World,
  folder: WorldFolder,
  signal: AbortSignal | undefined,
): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  for (const { field, read } of listFiles(world, folder)) {
    signal?.throwIfAborted();
    const problem = await tryField(field, read);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

/** What is wrong with the file that a field names. */
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

interface NamedFile {
  readonly field: string;
  /** Reads it, and keeps nothing of it. */
  read(): Promise<unknown>;
}

function* listFiles(world: World, folder: WorldFolder): Generator<NamedFile> {
  for (const [index, podcast] of (world.podcasts ?? []).entries()) {
    const path = `podcasts[${index}]`;
    yield* listPictures(podcast, path, folder);
    for (const [number, episode] of (podcast.episodes ?? []).entries()) {
      yield* listTexts(episode, `${path}.episodes[${number}]`, folder);
    }
  }
}

function* listPictures(
  podcast: PodcastEntry,
  path: string,
  folder: WorldFolder,
): Generator<NamedFile> {
  const pictures = [
    { field: `${path}.artwork`, picture: podcast.artwork },
    ...(podcast.people ?? []).map(({ photo }, index) => ({
      field: `${path}.people[${index}].photo`,
      picture: photo,
    })),
  ];
  for (const { field, picture } of pictures) {
    if (picture == null) continue;
    yield { field, read: async () => prepareImage(await readImage(folder, picture)) };
  }
}

function* listTexts(
  { transcript, chapters }: EpisodeEntry,
  path: string,
  folder: WorldFolder,
): Generator<NamedFile> {
  if (transcript != null) {
    yield { field: `${path}.transcript`, read: () => readTranscript(folder, transcript, 'en') };
  }
  if (chapters != null) {
    yield { field: `${path}.chapters`, read: () => readChapters(folder, chapters) };
  }
}
