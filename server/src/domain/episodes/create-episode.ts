import { disambiguateSlug } from '../../lib/slug.ts';
import { newId } from '../../lib/uuid.ts';
import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { DomainError, type ErrorDetail, invalid, notFound } from '../errors.ts';
import { lockPodcast, requireCapability } from '../podcasts/index.ts';
import { checkEpisode } from './check-episode.ts';
import {
  asOf,
  type Episode,
  type EpisodeFields,
  type EpisodeSource,
  type EpisodeStatus,
} from './episode.ts';
import { claimEpisodeSlug, insertEpisode, selectNextEpisodeNumber } from './episodes.sql.ts';
import { cleanShowNotes } from './show-notes.ts';

export type NewEpisode = Partial<EpisodeFields> & {
  readonly podcastId: string;
  readonly slug: string;
  readonly title: string;
  readonly status?: EpisodeStatus | undefined;
  /** For `published`: default now, never in the future. Kept for `pending_confirmation`. */
  readonly publishedAt?: Date | undefined;
  /** For `scheduled`, there required; one in the past is due at once. */
  readonly scheduledFor?: Date | undefined;
  readonly createdAt?: Date | undefined;
  /** A GUID brought along; default: the episode's own id. */
  readonly guid?: string | undefined;
  readonly source?: EpisodeSource | undefined;
  /** Where the slug is taken: refuse (default), or add a number to it. */
  readonly onTakenSlug?: 'refuse' | 'number';
};

/**
 * Makes an episode. Without a number of its own it gets the podcast's highest plus one; making
 * episodes of one podcast queues on the podcast's row, so that no two get the same.
 */
export async function createEpisode(ctx: Context, input: NewEpisode): Promise<Episode> {
  await requireCapability(ctx, input.podcastId, 'episodes.create');
  const status = input.status ?? 'draft';
  if (status === 'published' || status === 'scheduled') {
    await requireCapability(ctx, input.podcastId, 'episodes.publish');
  }
  const now = ctx.clock.now();
  const details = checkNewEpisode(input, now);
  if (details.length > 0)
    throw new DomainError('invalid', 'The episode cannot be made.', { details });
  return transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, input.podcastId)) === undefined) throw notFound('podcast');
    const id = newId();
    const episodeNumber =
      input.episodeNumber ?? (await selectNextEpisodeNumber(tx.db, input.podcastId));
    const episode = {
      ...buildEpisode(input, status, now),
      id,
      guid: input.guid ?? id,
      episodeNumber,
    };
    const slug = await insertUnderFreeSlug(tx, episode, input);
    const { podcastId } = input;
    await announceChange(tx, { kind: 'episode.created', podcastId, episodeId: id });
    return { ...asOf(episode, now), slug };
  });
}

/** The episode's row must stand before its slug can point at it, so both are tried together. */
async function insertUnderFreeSlug(
  ctx: Context,
  episode: Episode,
  input: NewEpisode,
): Promise<string> {
  await insertEpisode(ctx.db, episode, {
    guid: input.guid,
    source: input.source,
    now: ctx.clock.now(),
  });
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? input.slug : disambiguateSlug(input.slug, number);
    if (await claimEpisodeSlug(ctx.db, { ...episode, slug }, ctx.clock.now())) return slug;
    if (input.onTakenSlug !== 'number') {
      throw invalid('slug', `The podcast has an episode ${slug} already.`, 'slug_taken');
    }
  }
}

/** Every wrong field of those given. Whether the slug is free is seen when it is taken. */
export function checkNewEpisode(input: Omit<NewEpisode, 'podcastId'>, now: Date): ErrorDetail[] {
  return [...checkEpisode(input), ...checkDates(input, now)];
}

function checkDates(input: Omit<NewEpisode, 'podcastId'>, now: Date): ErrorDetail[] {
  const { status = 'draft' } = input;
  if (status === 'scheduled' && input.scheduledFor === undefined) {
    return [{ field: 'scheduled_for', message: 'A scheduled episode has a time to come out.' }];
  }
  if (status !== 'scheduled' && input.scheduledFor !== undefined) {
    return [{ field: 'scheduled_for', message: `An episode that is ${status} has no such time.` }];
  }
  if (status === 'published' && input.publishedAt !== undefined && input.publishedAt > now) {
    return [{ field: 'published_at', message: 'This is in the future: schedule the episode.' }];
  }
  return [];
}

function buildEpisode(
  input: NewEpisode,
  status: EpisodeStatus,
  now: Date,
): Omit<Episode, 'id' | 'guid' | 'episodeNumber'> {
  const publishedAt = input.publishedAt ?? null;
  return {
    podcastId: input.podcastId,
    slug: input.slug,
    title: input.title,
    subtitle: input.subtitle ?? null,
    description: input.description ?? input.title,
    ...cleanShowNotes(input.showNotesHtml ?? null),
    season: input.season ?? null,
    episodeType: input.episodeType ?? 'full',
    explicit: input.explicit ?? false,
    linkUrl: input.linkUrl ?? null,
    shareTranscriptWithCohosts: input.shareTranscriptWithCohosts ?? false,
    publishTranscript: input.publishTranscript ?? false,
    status,
    publishedAt:
      status === 'published' ? (publishedAt ?? now) : status === 'scheduled' ? null : publishedAt,
    scheduledFor: input.scheduledFor ?? null,
    mediaName: input.slug,
    artworkId: null,
    createdAt: input.createdAt ?? now,
  };
}
