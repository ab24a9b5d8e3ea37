import { announceChange } from '../changes/index.ts';
import { type Context, transact } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import type { PodcastStatus } from './podcast.ts';
import { lockPodcast, updatePodcastStatus } from './podcasts.sql.ts';
import { requireCapability } from './require-capability.ts';

/** Brings a draft, or a paused show, before the public. */
export async function activatePodcast(ctx: Context, podcastId: string): Promise<void> {
  await requireCapability(ctx, podcastId, 'show.pause_delete');
  await change(ctx, podcastId, ['draft', 'paused'], () => ({ status: 'active' }));
}

/** Takes the show off the public pages; its feed stays as it stands now. */
export async function pausePodcast(ctx: Context, podcastId: string): Promise<void> {
  await requireCapability(ctx, podcastId, 'show.pause_delete');
  await change(ctx, podcastId, ['active'], () => ({
    status: 'paused',
    pausedAt: ctx.clock.now(),
  }));
}

/** Overage: the service withholds a show that the public knew until a new month, a larger plan, or the operator. */
export async function suspendPodcast(ctx: Context, podcastId: string): Promise<void> {
  await requireCapability(ctx, podcastId, 'show.pause_delete');
  await change(ctx, podcastId, ['active', 'paused', 'moved'], (from) => ({
    status: 'overage_suspended',
    pausedAt: from.pausedAt,
    statusBeforeSuspension: from.status,
  }));
}

/** Ends a suspension or a pause: the show is again what it was before. */
export async function resumePodcast(ctx: Context, podcastId: string): Promise<void> {
  await requireCapability(ctx, podcastId, 'show.pause_delete');
  await change(ctx, podcastId, ['overage_suspended', 'paused'], (from) => {
    const status = from.statusBeforeSuspension ?? 'active';
    return { status, pausedAt: status === 'paused' ? from.pausedAt : null };
  });
}

interface State {
  readonly status: PodcastStatus;
  readonly pausedAt?: Date | null;
  readonly statusBeforeSuspension?: PodcastStatus | null;
}

async function change(
  ctx: Context,
  podcastId: string,
  from: readonly PodcastStatus[],
  next: (state: State & { pausedAt: Date | null }) => State,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const state = await lockPodcast(tx.db, podcastId);
    if (state === undefined) throw notFound('podcast');
    if (!from.includes(state.status)) {
      const message = `The podcast is ${state.status}; this is for one that is ${from.join(' or ')}.`;
      throw invalid('status', message);
    }
    const { status, pausedAt = null, statusBeforeSuspension = null } = next(state);
    await updatePodcastStatus(tx.db, podcastId, { status, pausedAt, statusBeforeSuspension });
    await announceChange(tx, { kind: 'podcast.status_changed', podcastId });
  });
}
