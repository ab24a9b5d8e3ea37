import type { Context } from '../../foundation/context.ts';
import { createEpisode } from '../../publishing/episodes/index.ts';
import { setCredits } from '../../publishing/people/index.ts';
import type { Podcast } from '../../publishing/podcasts/index.ts';
import {
  attachFiles,
  type EpisodeFiles,
  readNamedChapters,
  readNamedImage,
  readOtherTranscripts,
  readTranscript,
} from '../shows/edits/index.ts';
import { readEpisodeEntry } from './read-entries.ts';
import type { EpisodeEntry } from './schema.ts';
import { getByRef, type Made, type SeedInputs } from './seed-inputs.ts';
import { withEntryPath } from './with-entry-path.ts';

/** The episode's position in the file, and the people it may credit. */
export interface EpisodePlace extends SeedInputs {
  readonly path: string;
  readonly podcast: Podcast;
  /** Ids by ref. */
  readonly people: ReadonlyMap<string, string>;
}

export async function makeEpisode(
  ctx: Context,
  entry: EpisodeEntry,
  place: EpisodePlace,
): Promise<Made> {
  const { path, podcast } = place;
  return await withEntryPath(path, async () => {
    const episode = await createEpisode(ctx, {
      ...readEpisodeEntry(entry, place),
      podcastId: podcast.id,
    });
    await attachFiles(ctx, episode.id, {}, await readFiles(ctx, entry, place));
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
