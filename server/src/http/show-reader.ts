import { findShow, requireVisible, type Show } from '../domain/catalogue/index.ts';
import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/errors.ts';
import type { Entry, PodcastCache } from './podcast-cache.ts';
import type { ShowReader } from './web.ts';

/** A rough size in memory, for the cache's bound; the roster and the description weigh most. */
const showBytes = (show: Show) => 2_000 + show.description.length * 2 + show.roster.length * 500;

/** Shows are read once a change: what every public answer begins with costs no query of its own. */
export function createShowReader(ctx: Context, cache: PodcastCache<Show>): ShowReader {
  const entries = new WeakMap<Show, Entry<Show>>();

  async function find(ref: string): Promise<Show> {
    const entry = await cache.get(ref.toLowerCase(), async () => {
      const show = await findShow(ctx, ref);
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
    async get(ref, surface) {
      const show = await find(ref);
      requireVisible(show, surface, 'podcast');
      return show;
    },
    isCurrent: (show) => entries.get(show)?.isLive(ctx.clock.now().getTime()) ?? false,
  };
}
