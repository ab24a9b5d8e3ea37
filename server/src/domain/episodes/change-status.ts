import { type Context, transact } from '../context.ts';
import { type DomainError, invalid, requireFound } from '../errors.ts';
import { announceChange } from '../outbox/index.ts';
import { authorize } from '../permissions/index.ts';
import { sayRefusal } from '../refusals.ts';
import { changedFields, type Expectation, revise } from '../revisions/index.ts';
import { asOf, type Episode, type EpisodeStatus, mayBecome } from './episode.ts';
import { deleteEpisodeRow, lockEpisode, updateEpisodeStatus } from './episodes.sql.ts';
import { getEpisode } from './find-episode.ts';

/**
 * Publishes now. Publishing again keeps the first date unless one is given. An imported episode
 * first gets the date it had at its origin, but never a future one.
 */
export async function publishEpisode(
  ctx: Context,
  episodeId: string,
  options: Expectation & { readonly publishedAt?: Date | undefined } = {},
): Promise<Episode> {
  const now = ctx.clock.now();
  if (options.publishedAt !== undefined && options.publishedAt > now) {
    throw invalid('published_at', sayRefusal('date_in_future'));
  }
  const dates = (episode: Episode): Dates => ({
    publishedAt: options.publishedAt ?? episode.publishedAt ?? intendedDate(episode, now),
    scheduledFor: null,
  });
  return changeStatus(ctx, episodeId, 'published', dates, options);
}

/**
 * Publishes the episode automatically at `at`; a time in the past is due at once. An episode that
 * was public before keeps its old date until then, also if it becomes a draft instead.
 */
export function scheduleEpisode(
  ctx: Context,
  episodeId: string,
  at: Date,
  expectation?: Expectation,
): Promise<Episode> {
  const dates = ({ publishedAt }: Episode): Dates => ({ publishedAt, scheduledFor: at });
  return changeStatus(ctx, episodeId, 'scheduled', dates, expectation);
}

/** Makes the episode a draft, from any status; keeps its publication date. */
export function unpublishEpisode(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<Episode> {
  return changeStatus(ctx, episodeId, 'draft', keepDate, expectation);
}

export function archiveEpisode(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<Episode> {
  return changeStatus(ctx, episodeId, 'archived', keepDate, expectation);
}

/**
 * Deletes an episode with everything that belongs to it. Its audio is swept later, and pictures stay
 * with the podcast.
 */
export async function deleteEpisode(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<Episode> {
  return transact(ctx, async (tx) => {
    const episode = await getLocked(tx, episodeId);
    const { podcastId } = episode;
    await authorize(tx, 'episode.delete', { podcastId, episodeId });
    await revise(tx, { episodeId }, [], expectation);
    await deleteEpisodeRow(tx.db, episodeId, ctx.clock.now());
    await announceChange(tx, { kind: 'episode.deleted', podcastId, episodeId });
    return episode;
  });
}

interface Dates {
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
}

const keepDate = (episode: Episode): Dates => ({
  publishedAt: episode.publishedAt,
  scheduledFor: null,
});

async function changeStatus(
  ctx: Context,
  episodeId: string,
  to: EpisodeStatus,
  dates: (episode: Episode) => Dates,
  expectation?: Expectation,
): Promise<Episode> {
  return transact(ctx, async (tx) => {
    const episode = await getLocked(tx, episodeId);
    const { podcastId } = episode;
    await authorize(tx, 'episode.publish', { podcastId, episodeId });
    const next = { status: to, ...dates(episode) };
    const changed = changedFields(episode, next);
    await revise(tx, { episodeId }, changed, expectation);
    // Repeating a change is no error; giving another date is a change.
    if (changed.length === 0) return episode;
    if (episode.status !== to && !mayBecome(episode.status, to)) {
      throw refuseStatus(episode.status, to);
    }
    await updateEpisodeStatus(tx.db, episodeId, { ...next, now: ctx.clock.now() });
    await announceChange(tx, { kind: 'episode.status_changed', podcastId, episodeId });
    return getEpisode(tx, episodeId);
  });
}

/** Advises to make it a draft first, if that is the way to the new status. */
function refuseStatus(from: EpisodeStatus, to: EpisodeStatus): DomainError {
  const isOnTheWay = mayBecome(from, 'draft') && mayBecome('draft', to);
  const advice = isOnTheWay ? ' Make it a draft first (`episode unpublish`).' : '';
  return invalid('status', `An episode that is ${from} cannot become ${to}.${advice}`);
}

async function getLocked(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = requireFound(await lockEpisode(ctx.db, episodeId), 'episode');
  return asOf(stored, ctx.clock.now());
}

function intendedDate({ intendedPublishedAt: intended }: Episode, now: Date): Date {
  return intended === null || intended > now ? now : intended;
}
