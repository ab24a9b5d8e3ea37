import type { Context } from '../domain/foundation/context.ts';
import { getPublicAudio, type PublicAudioFile } from '../domain/public/catalogue/index.ts';
import type { PublicAudioReader } from './http-context.ts';
import type { PodcastCache } from './podcast-cache.ts';

/** A rough size in memory, for the cache's bound. */
const audioBytes = 1_500;

/** Caches an episode's audio until its podcast changes, so a request for a range needs no query. */
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
        // Public audio stays public until a change, whatever is published next.
        return { podcastId: value.podcastId, value, validUntil: null, sizeBytes: audioBytes };
      });
      return entry.value;
    },
    peek: (episodeId) => cache.peek(episodeId)?.value,
  };
}
