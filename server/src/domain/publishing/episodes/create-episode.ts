import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import type { ElementChanges } from '../../../lib/fields/feed-elements.ts';
import { withDefaults } from '../../../lib/fields/field.ts';
import { proposeSlugs, slugify } from '../../../lib/slug.ts';
import { newId } from '../../../lib/uuid.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import { checkFields } from '../../foundation/check-fields.ts';
import { type Context, transact } from '../../foundation/context.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import {
  type ErrorDetail,
  invalid,
  noFreeSlug,
  notFound,
  refuseWrong,
} from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { beginRevisions } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import {
  areLongNotes,
  type CleanShowNotes,
  changeElements,
  checkAllElements,
  checkElements,
  cleanLongNotes,
  cleanShowNotes,
  lockPodcast,
  splitElements,
} from '../podcasts/index.ts';
import { asOf, type Episode, type EpisodeFields, type EpisodeSource } from './episode.ts';
import { claimEpisodeSlug, insertEpisode, selectNextEpisodeNumber } from './episodes.sql.ts';

/** Returns all validation errors, under the fields' names in seed files. */
export function checkEpisode(fields: Partial<EpisodeFields>): ErrorDetail[] {
  const details = checkFields(episodeFields, fields);
  return [...details, ...checkAllElements('episode', fields.extraElements ?? [])];
}

export type NewEpisode = Partial<EpisodeFields> &
  ElementChanges & {
    readonly podcastId: string;
    readonly slug: string;
    readonly title: string;
    readonly status?: EpisodeStatus | undefined;
    /**
     * For `published`: default now, never in the future. An episode in `pending_confirmation` keeps
     * it until it is published.
     */
    readonly publishedAt?: Date | undefined;
    /** Required for `scheduled`; a time in the past is due at once. */
    readonly scheduledFor?: Date | undefined;
    readonly createdAt?: Date | undefined;
    /** A picture of the same podcast. */
    readonly artworkId?: string | null | undefined;
    /** The GUID from an earlier feed; default: the episode's own id. */
    readonly guid?: string | undefined;
    readonly source?: EpisodeSource | undefined;
    /** Replaces `showNotesHtml` if a thread has sanitized it already. */
    readonly cleanNotes?: CleanShowNotes | undefined;
    /** If the slug is taken: throw (default), or add a number to it. */
    readonly onTakenSlug?: 'refuse' | 'number';
  };

/**
 * Makes an episode. Its default number is the podcast's highest plus one. Requests that add
 * episodes to one podcast queue on the podcast's row, so that no two get the same number.
 */
export async function createEpisode(ctx: Context, input: NewEpisode): Promise<Episode> {
  const { podcastId } = input;
  await authorize(ctx, 'episode.create', { podcastId });
  const status = input.status ?? 'draft';
  if (status === 'published' || status === 'scheduled') {
    await authorize(ctx, 'episode.publish', { podcastId });
  }
  const now = ctx.clock.now();
  refuseWrong('The episode was not created.', checkNewEpisode(input, now));
  const { showNotesHtml } = input;
  const cleanNotes =
    input.cleanNotes ??
    (areLongNotes(showNotesHtml) ? await cleanLongNotes(ctx, showNotesHtml) : undefined);
  return transact(ctx, async (tx) => {
    if ((await lockPodcast(tx.db, podcastId)) === undefined) throw notFound('podcast');
    const id = newId();
    const episodeNumber = input.episodeNumber ?? (await selectNextEpisodeNumber(tx.db, podcastId));
    const episode = {
      ...buildEpisode({ ...input, cleanNotes }, status, now),
      id,
      guid: input.guid ?? id,
      episodeNumber,
      numberGiven: input.episodeNumber !== undefined,
    };
    const slug = await insertUnderFreeSlug(tx, episode, input);
    await limitTexts(tx, podcastId);
    beginRevisions(tx, { episodeId: id });
    await announceChange(tx, { kind: 'episode.created', podcastId, episodeId: id });
    return { ...asOf(episode, now), slug };
  });
}

/** Inserts the row and claims its slug together, because the slug refers to the row. */
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
  for (const slug of proposeSlugs(input.slug)) {
    if (await claimEpisodeSlug(ctx.db, { ...episode, slug }, ctx.clock.now())) return slug;
    if (input.onTakenSlug !== 'number') {
      throw invalid('slug', sayRefusal('episode_slug_taken', { slug }), 'slug_taken');
    }
  }
  throw noFreeSlug();
}

/** Returns all validation errors. Whether the slug is free is checked when it is taken. */
export function checkNewEpisode(input: Omit<NewEpisode, 'podcastId'>, now: Date): ErrorDetail[] {
  const { elements } = splitElements('episode', input);
  return [...checkEpisode(input), ...checkElements('episode', elements), ...checkDates(input, now)];
}

function checkDates(input: Omit<NewEpisode, 'podcastId'>, now: Date): ErrorDetail[] {
  const { status = 'draft' } = input;
  if (status === 'scheduled' && input.scheduledFor === undefined) {
    return [
      {
        field: 'scheduled_for',
        ...sayRefusal('schedule_time_needed'),
      },
    ];
  }
  if (status !== 'scheduled' && input.scheduledFor !== undefined) {
    return [
      {
        field: 'scheduled_for',
        message: `Only scheduled episodes have this time; this one is ${status}.`,
      },
    ];
  }
  if (status === 'published' && input.publishedAt !== undefined && input.publishedAt > now) {
    return [{ field: 'published_at', ...sayRefusal('date_in_future') }];
  }
  return [];
}

function buildEpisode(
  input: NewEpisode,
  status: EpisodeStatus,
  now: Date,
): Omit<Episode, 'id' | 'guid' | 'episodeNumber' | 'numberGiven'> {
  const { publishedAt = null, artworkId, scheduledFor, createdAt, podcastId, slug, title } = input;
  const isPending = status === 'pending_confirmation';
  const { extraElements = [] } = input;
  const { elements } = splitElements('episode', input);
  return {
    ...withDefaults(episodeFields, input),
    description: input.description ?? title,
    ...cleanShowNotes(input.showNotesHtml ?? null, input.cleanNotes),
    guidIsPermalink: input.guidIsPermalink ?? false,
    extraElements: changeElements('episode', extraElements, elements, now).elements,
    podcastId,
    slug,
    title,
    status,
    publishedAt: firstPublication(status, publishedAt, now),
    intendedPublishedAt: isPending ? publishedAt : null,
    scheduledFor: scheduledFor ?? null,
    mediaName: slug,
    artworkId: artworkId ?? null,
    revision: 1,
    createdAt: createdAt ?? now,
  };
}

function firstPublication(status: EpisodeStatus, given: Date | null, now: Date): Date | null {
  if (status === 'published') return given ?? now;
  return status === 'scheduled' || status === 'pending_confirmation' ? null : given;
}

export interface StartedEpisode {
  readonly podcastId: string;
  readonly title: string;
  readonly slug?: string | undefined;
}

const perUser: AttemptLimit = { name: 'episodes-user', most: 600, windowMs: 3_600_000 };

/** Makes a draft from its title, and without a slug under one that is free. */
export async function startEpisode(ctx: Context, input: StartedEpisode): Promise<Episode> {
  const { slug, title, podcastId } = input;
  await authorize(ctx, 'episode.create', { podcastId });
  await limitNewEpisodes(ctx);
  return await createEpisode(ctx, {
    podcastId,
    title,
    // Otherwise the title becomes the description, and stays so when the title changes.
    description: '',
    slug: slug ?? slugify(title) ?? 'episode',
    onTakenSlug: slug === undefined ? 'number' : 'refuse',
  });
}

/**
 * Counts an episode that the signed-in user makes by hand, or refuses it. Imports have limits of their
 * own. Not inside a transaction.
 */
export async function limitNewEpisodes(ctx: Context): Promise<void> {
  const { principal } = ctx;
  if (principal.kind === 'user') await consumeAttempt(ctx, [perUser, principal.userId]);
}
