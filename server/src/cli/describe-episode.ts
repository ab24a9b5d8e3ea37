import { embedUrl, listenUrl } from '../domain/foundation/addresses.ts';
import type { Context } from '../domain/foundation/context.ts';
import { findAudio } from '../domain/publishing/audio/index.ts';
import { type Episode, getEpisode } from '../domain/publishing/episodes/index.ts';
import { listOwnCredits } from '../domain/publishing/people/index.ts';
import { getPodcast } from '../domain/publishing/podcasts/index.ts';
import {
  findChapters,
  findTranscriptFacts,
  listFurtherTranscriptFacts,
  type TranscriptFacts,
} from '../domain/publishing/transcripts/index.ts';
import { printJson } from './command-io.ts';
import { describeImage } from './describe-podcast.ts';
import type { EpisodeRuns } from './episode-commands.ts';
import { readEpisodeId } from './option-values.ts';
import { printedEpisode } from './present.ts';

/** An episode with all fields of `episode set`, under the names of seed files. */
export async function describeEpisode(
  ctx: Context,
  episode: Episode,
): Promise<Record<string, unknown>> {
  const { id } = episode;
  const podcast = await getPodcast(ctx, episode.podcastId);
  const transcript = await findTranscriptFacts(ctx, id);
  const people = await listOwnCredits(ctx, id);
  return {
    ...printedEpisode(episode),
    audio: await describeAudio(ctx, id),
    artwork: await describeImage(ctx, episode.artworkId),
    people: people.map(({ personId, ...credit }) => ({ id: personId, ...credit })),
    transcript: transcript === undefined ? null : describeTranscript(transcript),
    other_transcripts: (await listFurtherTranscriptFacts(ctx, id)).map(describeTranscript),
    chapters: (await findChapters(ctx, id))?.length ?? null,
    links: {
      listen: listenUrl(ctx.installation, podcast, episode.slug),
      embed: embedUrl(ctx.installation, id),
    },
  };
}

function describeTranscript({ language, hasTimes, segmentCount: segments }: TranscriptFacts) {
  return { language, has_times: hasTimes, segments };
}

async function describeAudio(ctx: Context, episodeId: string) {
  const audio = await findAudio(ctx, episodeId);
  if (audio === undefined) return null;
  const { contentType, sizeBytes, durationMs, blobKey } = audio;
  return {
    content_type: contentType,
    size_bytes: sizeBytes,
    duration_seconds: durationMs === null ? null : durationMs / 1000,
    // False: the audio is elsewhere, and our URL redirects there.
    copied: blobKey !== null,
  };
}

export const show: EpisodeRuns['show'] = async ({ ctx }, { id }, io) => {
  printJson(io, await describeEpisode(ctx, await getEpisode(ctx, readEpisodeId(id))));
};
