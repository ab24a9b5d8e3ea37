import { type Context, transact } from '../../foundation/context.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import { type DomainError, invalid, requireFound } from '../../foundation/errors.ts';
import { takeRewrite } from '../../foundation/long-writes.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isTrusted } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { changedFields, type Expectation, revise } from '../../foundation/revisions/index.ts';
import {
  asOf,
  type Confirmation,
  confirmationsFor,
  type Episode,
  statusesAfter,
} from './episode.ts';
import {
  deleteEpisodeRow,
  lockEpisode,
  selectHasAudio,
  updateEpisodeStatus,
} from './episodes.sql.ts';
import { getEpisode } from './read-episode.ts';

interface StatusOptions extends Expectation {
  /** What the user knows and wants; see `confirmationsFor`. The command line warns instead. */
  readonly confirmed?: readonly Confirmation[] | undefined;
}

/**
 * Publishes now. Publishing again keeps the first date unless one is given. An imported episode
 * first gets the date it had at its origin, but never a future one.
 */
export async function publishEpisode(
  ctx: Context,
  episodeId: string,
  options: StatusOptions & { readonly publishedAt?: Date | undefined } = {},
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
  options?: StatusOptions,
): Promise<Episode> {
  const dates = ({ publishedAt }: Episode): Dates => ({ publishedAt, scheduledFor: at });
  return changeStatus(ctx, episodeId, 'scheduled', dates, options);
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

/** What an undo brings back. */
export interface EarlierStatus {
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
}

/**
 * Takes a change of the status back: all or nothing, by way of a draft. What waited for a
 * confirmation becomes a draft, and so does an episode that was one.
 */
export function restoreStatus(
  ctx: Context,
  episodeId: string,
  before: EarlierStatus,
  { expected, confirmed }: StatusOptions = {},
): Promise<Episode> {
  return transact(ctx, async (tx) => {
    const draft = await unpublishEpisode(tx, episodeId, { expected });
    const { status, publishedAt, scheduledFor } = before;
    if (status === 'archived') return archiveEpisode(tx, episodeId);
    if (status === 'published') {
      return publishEpisode(tx, episodeId, { publishedAt: publishedAt ?? undefined, confirmed });
    }
    if (status !== 'scheduled' || scheduledFor === null) return draft;
    return scheduleEpisode(tx, episodeId, scheduledFor, { confirmed });
  });
}

/**
 * Deletes an episode with everything that belongs to it. Its audio is swept later. Its picture
 * stays with the podcast, until `purgeImages` finds that nothing else names it.
 */
export async function deleteEpisode(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<Episode> {
  await authorize(ctx, 'episode.delete', { episodeId });
  using _turn = await takeRewrite(ctx, episodeId);
  return await transact(ctx, async (tx) => {
    // Before the lock: a refused request must not make others wait for it.
    const { podcastId } = await authorize(tx, 'episode.delete', { episodeId });
    const episode = await getLocked(tx, episodeId);
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
  options: StatusOptions = {},
): Promise<Episode> {
  return transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'episode.publish', { episodeId });
    const episode = await getLocked(tx, episodeId);
    const next = { status: to, ...dates(episode) };
    const changed = changedFields(episode, next);
    await revise(tx, { episodeId }, changed, options);
    // Repeating a change is not an error; giving another date is a change.
    if (changed.length === 0) return episode;
    if (episode.status !== to && !statusesAfter(episode.status).includes(to)) {
      throw refuseStatus(episode.status);
    }
    if (to === 'published' || to === 'scheduled') await requireConfirmed(tx, episodeId, options);
    await updateEpisodeStatus(tx.db, episodeId, { ...next, now: ctx.clock.now() });
    await announceChange(tx, { kind: 'episode.status_changed', podcastId, episodeId });
    return getEpisode(tx, episodeId);
  });
}

/** Every status that refuses another one may become a draft. */
function refuseStatus(from: EpisodeStatus): DomainError {
  const said = from === 'archived' ? sayRefusal('is_archived') : sayRefusal('is_published');
  return invalid('status', said, 'draft_first');
}

/** The row is locked, and so is whether it has audio. */
async function requireConfirmed(
  tx: Context,
  episodeId: string,
  { confirmed = [] }: StatusOptions,
): Promise<void> {
  if (isTrusted(tx)) return;
  const needed = confirmationsFor({ hasAudio: await selectHasAudio(tx.db, episodeId) });
  const [missing] = needed.filter((each) => !confirmed.includes(each));
  if (missing !== undefined) throw invalid('confirm', sayRefusal(missing), missing);
}

async function getLocked(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = requireFound(await lockEpisode(ctx.db, episodeId), 'episode');
  return asOf(stored, ctx.clock.now());
}

function intendedDate({ intendedPublishedAt: intended }: Episode, now: Date): Date {
  return intended === null || intended > now ? now : intended;
}
