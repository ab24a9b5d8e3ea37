import type { Context } from '../../domain/foundation/context.ts';
import { requireFound } from '../../domain/foundation/errors.ts';
import {
  findNewestEpisode,
  findPublicPodcast,
  getPublicAudio,
  getPublicImage,
  type NewestEpisode,
  type PublicAudioFile,
  type PublicImage,
  type PublicPodcast,
  requireShown,
} from '../../domain/public/catalogue/index.ts';
import { requireVisible } from '../../domain/publishing/podcasts/index.ts';
import type { PublicAudioReader, PublicImageReader, PublicPodcastReader } from '../http-context.ts';
import type { PublicRead } from '../limits/public-reads.ts';
import type { Computed, Entry, PodcastCache } from './podcast-cache.ts';

/** A rough size in memory, for the cache's limit. Roster and description are the largest parts. */
function showBytes({ description, roster }: PublicPodcast): number {
  let chars = description.length;
  for (const { name, linkUrl, bioStart } of roster) {
    chars += name.length + (linkUrl?.length ?? 0) + (bioStart?.length ?? 0);
  }
  return 2_000 + chars * 2 + roster.length * 500;
}

interface ShowCaches {
  readonly shows: PodcastCache<PublicPodcast>;
  readonly newest: PodcastCache<NewestEpisode | undefined>;
}

/** A rough size in memory, for the cache's limit. */
const newestBytes = 500;

/** Caches each show until it changes, because every public response begins by reading its show. */
export function createPublicPodcastReader(
  ctx: Context,
  caches: ShowCaches,
  read?: PublicRead,
  entries = new WeakMap<PublicPodcast, Entry<PublicPodcast>>(),
): PublicPodcastReader {
  async function find(ref: string): Promise<PublicPodcast> {
    // Every response begins here, so this also confirms what the request takes from other caches.
    if (!ctx.announcements.freshness.isConfirmed()) await ctx.announcements.freshness.confirm();
    const entry = await getForAll(caches.shows, ref.toLowerCase(), read, async () => {
      const show = requireFound(await findPublicPodcast(inTurns(ctx, read), ref), 'podcast');
      return {
        podcastId: show.id,
        value: show,
        validUntil: show.nextChangeAt,
        sizeBytes: showBytes(show),
      };
    });
    entries.set(entry.value, entry);
    read?.isAbout(entry.podcastId);
    return entry.value;
  }

  return {
    within: (own) => createPublicPodcastReader(ctx, caches, own, entries),
    find,
    async get(ref, channel, what = 'podcast') {
      const show = await find(ref);
      requireVisible(show, channel, what);
      return show;
    },
    async findNewest(show) {
      const { id: podcastId, nextChangeAt: validUntil } = show;
      const entry = await getForAll(caches.newest, podcastId, read, async () => {
        const value = await findNewestEpisode(inTurns(ctx, read), show);
        return { podcastId, value, validUntil, sizeBytes: newestBytes };
      });
      return entry.value;
    },
    isCurrent(show) {
      const entry = entries.get(show);
      return entry !== undefined && caches.shows.isCurrent(entry);
    },
  };
}

/** The context in which the statements of `read` take its turns. */
const inTurns = (ctx: Context, read: PublicRead | undefined): Context =>
  read === undefined ? ctx : { ...ctx, db: read.db };

/** A cached value, or the result of `compute`, for which requests besides `read` may wait. */
function getForAll<V>(
  cache: PodcastCache<V>,
  key: string,
  read: PublicRead | undefined,
  compute: () => Promise<Computed<V>>,
): Promise<Entry<V>> {
  if (read === undefined) return cache.get(key, compute);
  return cache.get(key, (waiters) => read.forAll(waiters, compute), undefined, read.waiter);
}

/** A rough size in memory, for the cache's bound. */
const audioBytes = 1_500;

/** Caches an episode's audio until its podcast changes, so a request for a range needs no query. */
export function createPublicAudioReader(
  ctx: Context,
  cache: PodcastCache<PublicAudioFile>,
  read?: PublicRead,
): PublicAudioReader {
  const { freshness } = ctx.announcements;
  return {
    within: (own) => createPublicAudioReader(ctx, cache, own),
    async get(episodeId) {
      if (!freshness.isConfirmed()) await freshness.confirm();
      const entry = await getForAll(cache, episodeId, read, async () => {
        const value = await getPublicAudio(inTurns(ctx, read), episodeId);
        // Public audio stays public until a change, whatever is published next.
        return { podcastId: value.podcastId, value, validUntil: null, sizeBytes: audioBytes };
      });
      read?.isAbout(entry.podcastId);
      return entry.value;
    },
    peek: (episodeId) => cache.peek(episodeId)?.value,
  };
}

/** A rough size in memory, for the cache's bound. */
const imageBytes = 800;

/** Caches whether a picture is shown, until its podcast changes or its next episode becomes public. */
export function createPublicImageReader(
  ctx: Context,
  cache: PodcastCache<PublicImage>,
  read?: PublicRead,
): PublicImageReader {
  const { freshness } = ctx.announcements;
  return {
    within: (own) => createPublicImageReader(ctx, cache, own),
    async get(imageId) {
      if (!freshness.isConfirmed()) await freshness.confirm();
      const entry = await getForAll(cache, imageId, read, async () => {
        const value = await getPublicImage(inTurns(ctx, read), imageId);
        const { podcastId, nextPublicationAt: validUntil } = value;
        return { podcastId, value, validUntil, sizeBytes: imageBytes };
      });
      read?.isAbout(entry.podcastId);
      requireShown(entry.value);
      return entry.value;
    },
  };
}
