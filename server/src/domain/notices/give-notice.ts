import { type ChangeEvent, takeChanges } from '../changes/index.ts';
import type { Context } from '../context.ts';
import { tellOfHandover } from './tell-of-handover.ts';
import { tellOfPlan } from './tell-of-plan.ts';
import { tellOfRemoval } from './tell-of-removal.ts';

const changesAtOnce = 500;

/** Writes the letters that changes call for, until all changes are read or the signal aborts. */
export async function giveNotice(
  ctx: Context,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  while (options.signal?.aborted !== true) {
    const taken = await takeChanges(ctx, 'notices', changesAtOnce, tellOfChanges);
    if (taken === 0) return;
  }
}

/** Said several times in so short a time, it is told once, as it is now. */
async function tellOfChanges(tx: Context, changes: readonly ChangeEvent[]): Promise<void> {
  const told = new Set<string>();
  for (const change of changes) {
    const { kind, podcastId, userId, accountId } = change;
    const what = [kind, podcastId, userId, accountId].join(' ');
    if (told.has(what)) continue;
    told.add(what);
    if (kind === 'membership.removed') await tellOfRemoval(tx, change);
    if (kind === 'ownership.changed') await tellOfHandover(tx, change);
    if (kind === 'plan.changed') await tellOfPlan(tx, change);
  }
}
