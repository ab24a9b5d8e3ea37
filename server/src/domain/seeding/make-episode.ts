import type { Context } from '../context.ts';
import { createEpisode } from '../episodes/index.ts';
import { attachImage, attachStoredAudio, setEpisodeArtwork } from '../media/index.ts';
import { setCredits } from '../people/index.ts';
import type { Podcast } from '../podcasts/index.ts';
import { setChapters, setTranscript } from '../transcripts/index.ts';
import { at } from './at.ts';
import { type Made, type Materials, named } from './materials.ts';
import { readChapters, readImage, readTranscript } from './named-files.ts';
import { readOtherTranscripts, setOtherTranscripts } from './other-transcripts.ts';
import { readEpisode } from './read-entries.ts';
import type { EpisodeEntry } from './schema.ts';

/** The episode's position in the file, and the people it may credit. */
export interface EpisodePlace extends Materials {
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
  place.signal?.throwIfAborted();
  const { path, podcast } = place;
  return await at(path, async () => {
    const episode = await createEpisode(ctx, {
      ...readEpisode(entry, place),
      podcastId: podcast.id,
    });
    const audio = place.audio.get(path);
    if (audio !== undefined) await attachStoredAudio(ctx, episode.id, audio);
    if (entry.artwork != null) await setArtwork(ctx, episode.id, entry.artwork, place);
    await setTexts(ctx, episode.id, entry, place);
    const credits = (entry.people ?? []).map((ref) => ({ personId: named(place.people, ref) }));
    if (credits.length > 0) await setCredits(ctx, episode.id, credits);
    return { id: episode.id, slug: episode.slug };
  });
}

async function setArtwork(
  ctx: Context,
  episodeId: string,
  path: string,
  { folder, podcast }: EpisodePlace,
): Promise<void> {
  const bytes = await readImage(folder, path);
  const { id } = await attachImage(ctx, { podcastId: podcast.id, bytes });
  await setEpisodeArtwork(ctx, episodeId, id);
}

async function setTexts(
  ctx: Context,
  episodeId: string,
  { transcript, other_transcripts = [], chapters }: EpisodeEntry,
  { folder, podcast }: EpisodePlace,
): Promise<void> {
  if (transcript != null) {
    const read = await readTranscript(folder, transcript, podcast.language);
    await setTranscript(ctx, episodeId, read);
  }
  if (other_transcripts.length > 0) {
    await setOtherTranscripts(
      ctx,
      episodeId,
      await readOtherTranscripts(folder, other_transcripts),
    );
  }
  if (chapters != null) await setChapters(ctx, episodeId, await readChapters(folder, chapters));
}
