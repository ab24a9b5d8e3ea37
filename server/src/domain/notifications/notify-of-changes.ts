import type { Context } from '../context.ts';
import { type ChangeEvent, consumeChanges } from '../outbox/index.ts';
import { notifyOfHandover } from './notify-of-handover.ts';
import { notifyOfPlan } from './notify-of-plan.ts';
import { notifyOfRemoval } from './notify-of-removal.ts';

/** The consumer's name in change_consumers. */
const consumer = 'notices';
const changesAtOnce = 500;

/** Queues the emails for new changes, until all are read or the signal aborts. */
export async function notifyOfChanges(
  ctx: Context,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  while (options.signal?.aborted !== true) {
    const taken = await consumeChanges(ctx, consumer, changesAtOnce, notifyOnce);
    if (taken === 0) return;
  }
}

/** Repeated changes in one batch give one email, about the present state. */
async function notifyOnce(tx: Context, changes: readonly ChangeEvent[]): Promise<void> {
  const told = new Set<string>();
  for (const change of changes) {
    const { kind, podcastId, userId, accountId } = change;
    const what = [kind, podcastId, userId, accountId].join(' ');
    if (told.has(what)) continue;
    told.add(what);
    if (kind === 'membership.removed') await notifyOfRemoval(tx, change);
    if (kind === 'ownership.changed') await notifyOfHandover(tx, change);
    if (kind === 'plan.changed') await notifyOfPlan(tx, change);
  }
}
