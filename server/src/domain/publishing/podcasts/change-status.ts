import { type Context, transact } from '../../foundation/context.ts';
import type { PodcastStatus, SuspensionCause } from '../../foundation/enumerations.ts';
import { DomainError, invalid, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { isTrusted, requireTrusted } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { lockPodcast, type PodcastState, updatePodcastStatus } from './podcasts.sql.ts';
import { updatePodcast } from './update-podcast.ts';

/** Makes a draft or a paused show public. */
export async function activatePodcast(
  ctx: Context,
  podcastId: string,
  expectation?: Expectation,
): Promise<void> {
  await change(ctx, podcastId, ['draft', 'paused'], 'active', expectation);
}

/** Takes the show off the public pages; its feed stays as it is now. */
export async function pausePodcast(
  ctx: Context,
  podcastId: string,
  expectation?: Expectation,
): Promise<void> {
  await change(ctx, podcastId, ['active'], 'paused', expectation);
}

/**
 * The operator withholds a show until they resume it. A suspension for overage becomes the
 * operator's, which a new month does not end.
 */
export async function suspendPodcast(ctx: Context, podcastId: string): Promise<void> {
  await authorize(ctx, 'podcast.pause', { podcastId });
  await transact(ctx, async (tx) => {
    const state = await lockPodcast(tx.db, podcastId);
    if (state?.suspendedFor === 'overage' && isTrusted(tx)) {
      const { newFeedUrl: _, ...status } = state;
      await updatePodcastStatus(tx.db, podcastId, { ...status, suspendedFor: 'operator' });
    } else {
      await change(tx, podcastId, suspendable, 'overage_suspended');
    }
  });
}

const suspendable = ['active', 'paused', 'moved'] as const satisfies readonly PodcastStatus[];

/** The service withholds a public show. No change for a draft or a suspended show. */
export async function suspendForOverage(ctx: Context, podcastId: string): Promise<void> {
  requireTrusted(ctx);
  await transact(ctx, async (tx) => {
    const state = await lockPodcast(tx.db, podcastId);
    if (!suspendable.some((status) => status === state?.status)) return;
    await change(tx, podcastId, suspendable, 'overage_suspended', { cause: 'overage' });
  });
}

/** Ends a suspension for overage; no change for the operator's own. */
export async function endOverageSuspension(ctx: Context, podcastId: string): Promise<void> {
  requireTrusted(ctx);
  await transact(ctx, async (tx) => {
    const state = await lockPodcast(tx.db, podcastId);
    if (state?.suspendedFor !== 'overage') return;
    await change(tx, podcastId, ['overage_suspended'], 'before', { cause: 'overage' });
  });
}

/** Ends a suspension or a pause: the show gets back its status before that. */
export async function resumePodcast(
  ctx: Context,
  podcastId: string,
  expectation?: Expectation,
): Promise<void> {
  await change(ctx, podcastId, ['overage_suspended', 'paused'], 'before', expectation);
}

/** The statuses that may follow each status, for a request that names the new one. */
const next: Readonly<Record<PodcastStatus, readonly PodcastStatus[]>> = {
  draft: ['active'],
  active: ['draft', 'paused', 'overage_suspended', 'moved'],
  paused: ['draft', 'active', 'overage_suspended', 'moved'],
  moved: ['active', 'paused', 'overage_suspended'],
  // Only the status before the suspension; from there it may change.
  overage_suspended: ['active', 'paused', 'moved'],
};

/** The same for the verbs that members have. Only the service suspends shows. */
const nextForMembers: Readonly<Record<PodcastStatus, readonly PodcastStatus[]>> = {
  draft: ['active'],
  active: ['paused', 'moved'],
  paused: ['active', 'moved'],
  // Still there, but with another address.
  moved: ['active', 'moved'],
  overage_suspended: [],
};

/** The statuses to which a member may set a show. A move and its end need a right of their own. */
export function podcastStatusesFor(
  may: { readonly pause: boolean; readonly move: boolean },
  status: PodcastStatus,
): PodcastStatus[] {
  if (!may.pause) return [];
  return nextForMembers[status].filter((to) => may.move || ![status, to].includes('moved'));
}

/**
 * Sets the status of a show, if it may follow the present one; no change if it is the same. `moved`
 * needs the address of the new feed, which is a field of the podcast.
 */
export async function setPodcastStatus(
  ctx: Context,
  podcastId: string,
  status: PodcastStatus,
  expectation?: Expectation,
): Promise<void> {
  const from = (Object.keys(next) as PodcastStatus[]).filter((state) =>
    next[state].includes(status),
  );
  await change(ctx, podcastId, [...from, status], status, expectation);
}

async function change(
  ctx: Context,
  podcastId: string,
  from: readonly PodcastStatus[],
  to: PodcastStatus | 'before',
  options: Expectation & {
    /** Whose suspension begins or ends. */
    readonly cause?: SuspensionCause;
  } = {},
): Promise<void> {
  const { cause = 'operator' } = options;
  await authorize(ctx, 'podcast.pause', { podcastId });
  await transact(ctx, async (tx) => {
    const state = requireFound(await lockPodcast(tx.db, podcastId), 'podcast');
    await revise(tx, { podcastId }, [], options);
    if (!from.includes(state.status)) throw refuseStatus(state.status, from);
    const status = to === 'before' ? (state.statusBeforeSuspension ?? 'active') : to;
    if (status === state.status) return;
    await refuseChange(tx, podcastId, state, status);
    await revise(tx, { podcastId }, ['status']);
    const now = tx.clock.now();
    const isReleased = state.status === 'overage_suspended' && cause === 'operator';
    await updatePodcastStatus(tx.db, podcastId, {
      status,
      pausedAt: pausedAtOf(state, status, now),
      statusBeforeSuspension: status === 'overage_suspended' ? state.status : null,
      suspendedFor: status === 'overage_suspended' ? cause : null,
      ...(isReleased && { overageReleasedAt: now }),
    });
    await announceChange(tx, { kind: 'podcast.status_changed', podcastId });
  });
}

function refuseStatus(status: PodcastStatus, from: readonly PodcastStatus[]): DomainError {
  const message = `The podcast is ${status}. This is only possible if it is ${from.join(' or ')}.`;
  return invalid('status', message);
}

async function refuseChange(
  tx: Context,
  podcastId: string,
  state: PodcastState,
  status: PodcastStatus,
): Promise<void> {
  const changed = [state.status, status];
  if (changed.includes('overage_suspended') && !isTrusted(tx)) {
    throw new DomainError(
      'forbidden',
      'Only the service can suspend a show or end its suspension.',
    );
  }
  if (changed.includes('moved')) await authorize(tx, 'podcast.move', { podcastId });
  if (status === 'moved' && state.newFeedUrl === null) {
    throw invalid('new_feed_url', sayRefusal('new_feed_needed'));
  }
}

/** The feed of a paused show stays as it is while the show is suspended. */
function pausedAtOf(state: PodcastState, status: PodcastStatus, now: Date): Date | null {
  if (status === 'paused') return state.pausedAt ?? now;
  return status === 'overage_suspended' ? state.pausedAt : null;
}

/** Redirects all subscribers to another feed from now on, or changes where they are redirected. */
export async function movePodcast(
  ctx: Context,
  podcastId: string,
  { newFeedUrl, ...expectation }: Expectation & { readonly newFeedUrl: string },
): Promise<void> {
  await authorize(ctx, 'podcast.move', { podcastId });
  await transact(ctx, async (tx) => {
    await updatePodcast(tx, podcastId, { newFeedUrl }, expectation);
    await setPodcastStatus(tx, podcastId, 'moved');
  });
}

/** Ends the redirect. Apps that followed it come back only if the other feed redirects them. */
export async function endMove(
  ctx: Context,
  podcastId: string,
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, 'podcast.move', { podcastId });
  await transact(ctx, async (tx) => {
    const state = requireFound(await lockPodcast(tx.db, podcastId), 'podcast');
    await revise(tx, { podcastId }, [], expectation);
    if (state.status !== 'moved') throw invalid('status', sayRefusal('not_moved'));
    await setPodcastStatus(tx, podcastId, 'active');
    await updatePodcast(tx, podcastId, { newFeedUrl: null });
  });
}
