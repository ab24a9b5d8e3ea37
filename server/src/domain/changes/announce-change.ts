import { isFirstInTransaction } from '../../platform/database/transaction.ts';
import type { Context } from '../context.ts';
import type { Change } from './change.ts';
import { insertChangeEvent } from './change-events.sql.ts';

/**
 * Says that something changes. Call it in the transaction that changes it: when, and only if, that
 * commits, the caches of every process hear of it, and each consumer once. Said several times in
 * one transaction it is one event; so is what is made and then changed.
 */
export async function announceChange(ctx: Context, change: Change): Promise<void> {
  if (isFirstInTransaction(ctx.db, whatIsTold(change))) {
    const actorUserId = ctx.actor.kind === 'user' ? ctx.actor.userId : null;
    await insertChangeEvent(ctx.db, { ...change, actorUserId, createdAt: ctx.clock.now() });
  }
  for (const podcastId of podcastsSeenOtherwise(change)) {
    await ctx.changes.announce(ctx.db, podcastId);
  }
}

/** The same for changes that need telling once. */
function whatIsTold({ kind, ...whose }: Change): string {
  const { podcastIds: _, ...ids } = { podcastIds: [], ...whose };
  const what = kind.replace(/[.](created|added|changed)$/, '');
  return ['event', what, ...Object.values(ids)].join(' ');
}

/** Whose caches are out of date: memberships are nothing the public sees. */
function podcastsSeenOtherwise(change: Change): readonly string[] {
  if (change.kind === 'plan.changed') return change.podcastIds;
  return change.kind.startsWith('membership.') ? [] : [change.podcastId];
}
