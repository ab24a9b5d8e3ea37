import { findPublicPodcast, type PublicPodcast } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/errors.ts';
import { requireVisible } from '../domain/podcasts/index.ts';
import type { PublicPodcastReader } from './http-context.ts';
import type { Entry, PodcastCache } from './podcast-cache.ts';

/** A rough size in memory, for the cache's bound; the roster and the description weigh most. */
const showBytes = (show: PublicPodcast) =>
  2_000 + show.description.length * 2 + show.roster.length * 500;

/** Shows are read once a change: what every public answer begins with costs no query of its own. */
export function createPublicPodcastReader(
  ctx: Context,
  cache: PodcastCache<PublicPodcast>,
): PublicPodcastReader {
  const entries = new WeakMap<PublicPodcast, Entry<PublicPodcast>>();

  async function find(ref: string): Promise<PublicPodcast> {
    // Also for all that this request takes from the other cache: every answer begins here.
    if (!ctx.changes.freshness.isConfirmed()) await ctx.changes.freshness.confirm();
    const entry = await cache.get(ref.toLowerCase(), async () => {
      const show = await findPublicPodcast(ctx, ref);
      if (show === undefined) throw notFound('podcast');
      return {
        podcastId: show.id,
        value: show,
        validUntil: show.nextPublicationAt,
        sizeBytes: showBytes(show),
      };
    });
    entries.set(entry.value, entry);
    return entry.value;
  }

  return {
    find,
    async get(ref, channel, what = 'podcast') {
      const show = await find(ref);
      requireVisible(show, channel, what);
      return show;
    },
    isCurrent: (show) => entries.get(show)?.isLive(ctx.clock.now().getTime()) ?? false,
  };
}
