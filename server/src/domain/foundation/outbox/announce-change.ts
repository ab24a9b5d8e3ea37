import { isFirstInTransaction } from '../../../platform/database/transaction.ts';
import type { Context } from '../context.ts';
import type { Change } from './change.ts';
import { insertChangeEvent } from './change-events.sql.ts';

/**
 * Announces a change. Call it in the transaction that makes the change: if that commits, every
 * process invalidates its caches, and each consumer gets the event once. Repeated calls in one
 * transaction give one event, and so do creating and then changing the same thing.
 */
export async function announceChange(ctx: Context, change: Change): Promise<void> {
  if (isFirstInTransaction(ctx.db, eventKey(change))) {
    const actorUserId = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
    await insertChangeEvent(ctx.db, { ...change, actorUserId, createdAt: ctx.clock.now() });
  }
  for (const podcastId of podcastsToInvalidate(change)) {
    await ctx.announcements.announce(ctx.db, podcastId);
  }
}

/** Changes with the same key become one event. */
function eventKey({ kind, ...whose }: Change): string {
  const { podcastIds: _, ...ids } = { podcastIds: [], ...whose };
  const what = kind.replace(/[.](created|added|changed)$/, '');
  return ['event', what, ...Object.values(ids)].join(' ');
}

/** The podcasts whose caches become invalid. Memberships are not public. */
function podcastsToInvalidate(change: Change): readonly string[] {
  if (change.kind === 'plan.changed') return change.podcastIds;
  return change.kind.startsWith('membership.') ? [] : [change.podcastId];
}
