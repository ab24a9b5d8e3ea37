import { type Context, transact } from '../../../foundation/context.ts';
import { consumeChanges, hasUnreadChanges } from '../../../foundation/outbox/index.ts';
import { consumePublications, hasNewPublications } from '../../../publishing/episodes/index.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { compareShow } from './compare-show.ts';
import { consumer } from './consumer.ts';
import { hashTold } from './hash-told.ts';
import { noteChanges } from './note-changes.ts';
import {
  notePublications,
  postponeShow,
  selectShowsToCompare,
  selectShowsToHash,
} from './noted.sql.ts';

const changesAtOnce = 100;
const showsAtOnce = 20;
/** For one run. Afterwards, new changes are looked for first. */
const compareForMs = 2_000;
const hashForMs = 1_000;
/** After a failure of ours. */
const pauseMs = 60_000;

/**
 * Notes new changes and publications, until all are read or the signal aborts, and compares the shows
 * that they concern.
 */
export async function findWebhookChanges(
  ctx: Context,
  present: WebhookPresenter,
  signal?: AbortSignal,
): Promise<void> {
  if (await hasUnreadChanges(ctx, consumer)) {
    let taken = changesAtOnce;
    while (taken === changesAtOnce && signal?.aborted !== true)
      taken = await consumeChanges(ctx, consumer, changesAtOnce, noteChanges);
  }
  const note = (tx: Context, podcastIds: readonly string[]) => notePublications(tx.db, podcastIds);
  if (await hasNewPublications(ctx, consumer))
    await consumePublications(ctx, consumer, note, { ...(signal && { signal }) });
  await compareShows(ctx, present, signal);
  await hashShows(ctx, present, signal);
}

/** By turns, so that a show with very many episodes does not delay others. */
async function compareShows(
  ctx: Context,
  present: WebhookPresenter,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endsAtMs = performance.now() + compareForMs;
  for (;;) {
    const podcastIds = await selectShowsToCompare(ctx.db, ctx.clock.now(), showsAtOnce);
    if (podcastIds.length === 0) return;
    for (const podcastId of podcastIds) {
      if (signal?.aborted === true || performance.now() > endsAtMs) return;
      await tryShow(ctx, podcastId, (tx) => compareShow(tx, present, podcastId));
    }
  }
}

/** The same. */
async function hashShows(
  ctx: Context,
  present: WebhookPresenter,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endsAtMs = performance.now() + hashForMs;
  let podcastIds = await selectShowsToHash(ctx.db, ctx.clock.now(), showsAtOnce);
  while (podcastIds.length > 0) {
    const unfinished: string[] = [];
    for (const podcastId of podcastIds) {
      if (signal?.aborted === true || performance.now() > endsAtMs) return;
      const isMore = await tryShow(ctx, podcastId, (tx) => hashTold(tx, present, podcastId));
      if (isMore === true) unfinished.push(podcastId);
    }
    podcastIds = unfinished;
  }
}

/**
 * Does a part of the work for a show, in a transaction. If that fails, what was noted stays, and other
 * shows have their turn before the next try.
 */
async function tryShow<T>(
  ctx: Context,
  podcastId: string,
  work: (tx: Context) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await transact(ctx, work);
  } catch (err) {
    // It throws, too, if the database is away.
    await postponeShow(ctx.db, podcastId, new Date(ctx.clock.now().getTime() + pauseMs));
    ctx.log.warn({ err, podcastId }, 'webhooks of a show are delayed');
    return undefined;
  }
}
