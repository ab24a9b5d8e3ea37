import type { Context } from '../../../foundation/context.ts';
import { type ChangeEvent, consumeChanges } from '../../../foundation/outbox/index.ts';
import { consumePublications } from '../../../publishing/episodes/index.ts';
import { makeConcernedDue } from './due.sql.ts';

/** The consumer's name in change_consumers and publication_clocks. */
export const consumer = 'site-pings';
const changesAtOnce = 500;

/**
 * Makes pings due for new changes that may concern sites, until all are read or the signal aborts.
 * Whether there is anything to tell is decided when a ping is sent.
 */
export async function schedulePingsForChanges(
  ctx: Context,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  while (options.signal?.aborted !== true) {
    const taken = await consumeChanges(ctx, consumer, changesAtOnce, schedulePingsOnce);
    if (taken < changesAtOnce) return;
  }
}

async function schedulePingsOnce(tx: Context, changes: readonly ChangeEvent[]): Promise<void> {
  const podcastIds = new Set<string>();
  const accountIds = new Set<string>();
  const members = new Map<string, { podcastId: string; userId: string }>();
  for (const { kind, podcastId, userId, accountId } of changes) {
    if (accountId !== null) accountIds.add(accountId);
    else if (podcastId === null) continue;
    else if (kind.startsWith('membership.') && userId !== null)
      members.set(`${podcastId} ${userId}`, { podcastId, userId });
    else podcastIds.add(podcastId);
  }
  const concerned = {
    podcastIds: [...podcastIds],
    accountIds: [...accountIds],
    members: [...members.values()],
  };
  await makeConcernedDue(tx.db, concerned, tx.clock.now());
}

/** The same for episodes that became public since the last call. */
export async function schedulePingsForPublications(
  ctx: Context,
  options: { readonly signal?: AbortSignal; readonly atOnce?: number } = {},
): Promise<void> {
  const schedule = (tx: Context, podcastIds: readonly string[]) =>
    makeConcernedDue(tx.db, { podcastIds, accountIds: [], members: [] }, tx.clock.now());
  await consumePublications(ctx, consumer, schedule, options);
}
