import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { refuseWrong } from '../../foundation/errors.ts';
import type { StoredAudio } from '../../publishing/audio/index.ts';
import { checkSoundbites, createEpisode } from '../../publishing/episodes/index.ts';
import { attachImage, setHeaderImage, setPodcastArtwork } from '../../publishing/images/index.ts';
import { addPerson, setCredits } from '../../publishing/people/index.ts';
import {
  addMember,
  createPodcast,
  type Podcast,
  pausePodcast,
  suspendPodcast,
} from '../../publishing/podcasts/index.ts';
import {
  attachFiles,
  type EpisodeFiles,
  readNamedChapters,
  readNamedImage,
  readOtherTranscripts,
  readPerson,
  readTranscript,
  type SeedFolder,
} from '../shows/edits/index.ts';
import { type Loading, readEpisodeEntry, readMember, readPodcastEntry } from './read-entries.ts';
import type { EpisodeEntry, PersonEntry, PodcastEntry } from './schema.ts';
import { makeEach, withEntryPath } from './with-entry-path.ts';

/** The input for entries beside the seed file. */
export interface SeedInputs extends Loading {
  readonly folder: SeedFolder;
  /** By the path of the episode. */
  readonly audio: ReadonlyMap<string, StoredAudio>;
  readonly signal: AbortSignal | undefined;
}

interface Made {
  readonly id: string;
  readonly slug: string;
}

/** Refs are checked before, so the entry exists. */
export function getByRef<T>(made: ReadonlyMap<string, T>, ref: string): T {
  const thing = made.get(ref);
  if (thing === undefined) throw new Error(`no entry with the ref ${ref}`);
  return thing;
}

export interface MadePodcast extends Made {
  /** By ref. */
  readonly episodes: Readonly<Record<string, Made>>;
}

/** The podcast's position in the file, and the entries it may refer to. */
export interface PodcastPlace extends SeedInputs {
  readonly path: string;
  readonly users: ReadonlyMap<string, User>;
}

export async function makePodcast(
  ctx: Context,
  entry: PodcastEntry,
  place: PodcastPlace,
): Promise<MadePodcast> {
  const { path, users, folder } = place;
  const podcast = await withEntryPath(path, () =>
    createPodcast(ctx, { ...readPodcastEntry(entry, place), owner: getByRef(users, entry.owner) }),
  );
  await makePictures(ctx, entry, podcast.id, { path, folder });
  for (const [index, member] of (entry.members ?? []).entries()) {
    await withEntryPath(`${path}.members[${index}]`, () =>
      addMember(ctx, {
        ...readMember(member),
        podcastId: podcast.id,
        userId: getByRef(users, member.user).id,
      }),
    );
  }
  const people = await makeEach(`${path}.people`, entry.people, place.signal, (person, path) =>
    makePerson(ctx, person, podcast.id, { ...place, path }),
  );
  const episodes = await makeEach(`${path}.episodes`, entry.episodes, place.signal, (one, path) =>
    makeEpisode(ctx, one, { ...place, podcast, people, path }),
  );
  await withEntryPath(path, () => setStatus(ctx, entry, podcast));
  return { id: podcast.id, slug: podcast.slug, episodes: Object.fromEntries(episodes) };
}

async function makePictures(
  ctx: Context,
  { artwork, header_image }: PodcastEntry,
  podcastId: string,
  { path, folder }: Pick<PodcastPlace, 'path' | 'folder'>,
): Promise<void> {
  const pictures = [
    ['artwork', artwork, setPodcastArtwork],
    ['header_image', header_image, setHeaderImage],
  ] as const;
  for (const [name, file, set] of pictures) {
    if (file == null) continue;
    await withEntryPath(`${path}.${name}`, async () => {
      const bytes = await readNamedImage(folder, file);
      const isWide = name === 'header_image';
      const { id } = await attachImage(ctx, { podcastId, bytes, isWide });
      await set(ctx, podcastId, id);
    });
  }
}

async function makePerson(
  ctx: Context,
  { photo, ...entry }: PersonEntry,
  podcastId: string,
  { path, users, folder }: PodcastPlace,
): Promise<string> {
  return await withEntryPath(path, async () => {
    const bytes = photo == null ? undefined : await readNamedImage(folder, photo);
    const image = bytes && (await attachImage(ctx, { podcastId, bytes }));
    const { id } = await addPerson(ctx, {
      ...readPerson(entry),
      podcastId,
      userId: entry.user == null ? null : getByRef(users, entry.user).id,
      photoId: image?.id ?? null,
    });
    return id;
  });
}

/** Last, because a paused show's feed keeps its present state. */
async function setStatus(ctx: Context, { status }: PodcastEntry, { id }: Podcast): Promise<void> {
  if (status === 'paused') await pausePodcast(ctx, id);
  if (status === 'overage_suspended') await suspendPodcast(ctx, id);
}

/** The episode's position in the file, and the people it may credit. */
interface EpisodePlace extends SeedInputs {
  readonly path: string;
  readonly podcast: Podcast;
  /** Ids by ref. */
  readonly people: ReadonlyMap<string, string>;
}

async function makeEpisode(ctx: Context, entry: EpisodeEntry, place: EpisodePlace): Promise<Made> {
  const { path, podcast } = place;
  return await withEntryPath(path, async () => {
    const input = { ...readEpisodeEntry(entry, place), podcastId: podcast.id };
    const episode = await createEpisode(ctx, input);
    await attachFiles(ctx, episode.id, {}, await readFiles(ctx, entry, place));
    // Only now it has audio, within which they must lie.
    const bites = await checkSoundbites(ctx, { ...episode, extraElements: [] }, input);
    refuseWrong('The episode was not created.', bites);
    const credits = (entry.people ?? []).map((ref) => ({ personId: getByRef(place.people, ref) }));
    if (credits.length > 0) await setCredits(ctx, episode.id, credits);
    return { id: episode.id, slug: episode.slug };
  });
}

/** Skips checks that were made before. */
async function readFiles(
  ctx: Context,
  { artwork, transcript, other_transcripts = [], chapters }: EpisodeEntry,
  { path, podcast, folder, audio }: EpisodePlace,
): Promise<EpisodeFiles> {
  return {
    audio: audio.get(path),
    ...(artwork != null && { artwork: await readNamedImage(folder, artwork) }),
    ...(transcript != null && {
      transcript: await readTranscript(ctx, folder, transcript, podcast.language),
    }),
    ...(other_transcripts.length > 0 && {
      otherTranscripts: await readOtherTranscripts(ctx, folder, other_transcripts),
    }),
    ...(chapters != null && { chapters: await readNamedChapters(ctx, folder, chapters) }),
  };
}
