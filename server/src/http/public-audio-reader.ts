import { getPublicAudio, type PublicAudioFile } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import type { PublicAudioReader } from './http-context.ts';
import type { PodcastCache } from './podcast-cache.ts';

/** A rough size in memory, for the cache's bound. */
const audioBytes = 1_500;

/** The audio of an episode is read once a change of its podcast: a piece of it costs no query. */
export function createPublicAudioReader(
  ctx: Context,
  cache: PodcastCache<PublicAudioFile>,
): PublicAudioReader {
  const { freshness } = ctx.changes;
  return {
    async get(episodeId) {
      if (!freshness.isConfirmed()) await freshness.confirm();
      const entry = await cache.get(episodeId, async () => {
        const value = await getPublicAudio(ctx, episodeId);
        // Audio that is public stays so until a change; no publication to come ends it.
        return { podcastId: value.podcastId, value, validUntil: null, sizeBytes: audioBytes };
      });
      return entry.value;
    },
    peek: (episodeId) => cache.peek(episodeId)?.value,
  };
}
