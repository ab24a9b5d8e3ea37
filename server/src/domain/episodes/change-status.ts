import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { requireCapability } from '../podcasts/index.ts';
import { asOf, type Episode, type EpisodeStatus, mayBecome } from './episode.ts';
import { deleteEpisodeRow, lockEpisode, updateEpisodeStatus } from './episodes.sql.ts';
import { getEpisode } from './find-episode.ts';

/** Publishes now. Publishing again keeps the first date unless one is given; never a future one. */
export async function publishEpisode(
  ctx: Context,
  episodeId: string,
  options: { publishedAt?: Date | undefined } = {},
): Promise<Episode> {
  const now = ctx.clock.now();
  if (options.publishedAt !== undefined && options.publishedAt > now) {
    throw invalid('published_at', 'This is in the future: schedule the episode instead.');
  }
  return changeStatus(ctx, episodeId, 'published', (episode) => ({
    publishedAt: options.publishedAt ?? episode.publishedAt ?? now,
    scheduledFor: null,
  }));
}

/** The episode comes out by itself at `at`; a time in the past is due at once. */
export function scheduleEpisode(ctx: Context, episodeId: string, at: Date): Promise<Episode> {
  return changeStatus(ctx, episodeId, 'scheduled', () => ({ publishedAt: null, scheduledFor: at }));
}

/** Back to draft, from wherever it is; a publication date is remembered. */
export function unpublishEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  return changeStatus(ctx, episodeId, 'draft', keepDate);
}

export function archiveEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  return changeStatus(ctx, episodeId, 'archived', keepDate);
}

/** Removes the episode's rows; its audio file is `media`'s to remove, which calls this. */
export async function deleteEpisode(ctx: Context, episodeId: string): Promise<Episode> {
  return transact(ctx, async (tx) => {
    const episode = await getLocked(tx, episodeId);
    await requireCapability(tx, episode.podcastId, 'episodes.delete');
    await deleteEpisodeRow(tx.db, episodeId);
    const { podcastId } = episode;
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
): Promise<Episode> {
  return transact(ctx, async (tx) => {
    const episode = await getLocked(tx, episodeId);
    await requireCapability(tx, episode.podcastId, 'episodes.publish');
    const next = dates(episode);
    // Saying once more what is so already is no error; giving another date is a change.
    const again = episode.status === to && sameMoment(next.publishedAt, episode.publishedAt);
    if (again && sameMoment(next.scheduledFor, episode.scheduledFor)) return episode;
    if (episode.status !== to && !mayBecome(episode.status, to)) {
      throw invalid('status', `An episode that is ${episode.status} cannot become ${to}.`);
    }
    await updateEpisodeStatus(tx.db, episodeId, { status: to, ...next, now: ctx.clock.now() });
    const { podcastId } = episode;
    await announceChange(tx, { kind: 'episode.status_changed', podcastId, episodeId });
    return getEpisode(tx, episodeId);
  });
}

async function getLocked(ctx: Context, episodeId: string): Promise<Episode> {
  const stored = await lockEpisode(ctx.db, episodeId);
  if (stored === undefined) throw notFound('episode');
  return asOf(stored, ctx.clock.now());
}

function sameMoment(a: Date | null, b: Date | null): boolean {
  return a?.getTime() === b?.getTime();
}
