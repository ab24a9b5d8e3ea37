import { nilId } from '../../../../lib/uuid.ts';
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
/** A show that took long is not compared again for so many times as long, and at most for this. */
const restShare = 10;
const mostRestMs = 60_000;
/** A part that takes so long has read all episodes of a large show. */
const longPartMs = 100;

/** What a process remembers from one run to the next, so that shows take turns. */
export interface ShowTurns {
  /** Until when a show is not compared, in milliseconds. */
  readonly restsUntil: Map<string, number>;
  /** The show that was hashed last. */
  hashed: string;
}

export function createShowTurns(): ShowTurns {
  return { restsUntil: new Map(), hashed: nilId };
}

/**
 * Notes new changes and publications, until all are read or the signal aborts, and compares the shows
 * that they concern.
 */
export async function findWebhookChanges(
  ctx: Context,
  present: WebhookPresenter,
  signal?: AbortSignal,
  turns: ShowTurns = createShowTurns(),
): Promise<void> {
  if (await hasUnreadChanges(ctx, consumer)) {
    let taken = changesAtOnce;
    while (taken === changesAtOnce && signal?.aborted !== true)
      taken = await consumeChanges(ctx, consumer, changesAtOnce, noteChanges);
  }
  const note = (tx: Context, podcastIds: readonly string[]) =>
    notePublications(tx.db, podcastIds, tx.clock.now());
  if (await hasNewPublications(ctx, consumer))
    await consumePublications(ctx, consumer, note, { ...(signal && { signal }) });
  await compareShows(ctx, present, turns, signal);
  await hashShows(ctx, present, turns, signal);
}

/** By turns, so that a show with very many episodes does not delay others. */
async function compareShows(
  ctx: Context,
  present: WebhookPresenter,
  turns: ShowTurns,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endsAtMs = performance.now() + compareForMs;
  for (;;) {
    const of = { resting: restingShows(turns, ctx.clock.now()), limit: showsAtOnce };
    const podcastIds = await selectShowsToCompare(ctx.db, ctx.clock.now(), of);
    if (podcastIds.length === 0) return;
    for (const podcastId of podcastIds) {
      if (signal?.aborted === true || performance.now() > endsAtMs) return;
      const beganAtMs = ctx.clock.now().getTime();
      const isDone = await tryShow(ctx, podcastId, (tx) => compareShow(tx, present, podcastId));
      const endedAtMs = ctx.clock.now().getTime();
      const isLong = endedAtMs - beganAtMs >= longPartMs;
      if (isDone === true || isLong) rest(turns, podcastId, beganAtMs, endedAtMs);
    }
  }
}

/** One that is published to all the time, and takes long to compare, would take most of the time. */
function rest(turns: ShowTurns, podcastId: string, beganAtMs: number, endedAtMs: number): void {
  const restMs = Math.min((endedAtMs - beganAtMs) * restShare, mostRestMs);
  if (restMs > 0) turns.restsUntil.set(podcastId, endedAtMs + restMs);
}

function restingShows({ restsUntil }: ShowTurns, now: Date): string[] {
  for (const [podcastId, untilMs] of restsUntil) {
    const leftMs = untilMs - now.getTime();
    // More: the clock was set back.
    if (leftMs <= 0 || leftMs > mostRestMs) restsUntil.delete(podcastId);
  }
  return [...restsUntil.keys()];
}

/** The same, and those that had no time are first in the next run. */
async function hashShows(
  ctx: Context,
  present: WebhookPresenter,
  turns: ShowTurns,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endsAtMs = performance.now() + hashForMs;
  const of = { after: turns.hashed, limit: showsAtOnce };
  const podcastIds = await selectShowsToHash(ctx.db, ctx.clock.now(), of);
  let unhashed = podcastIds;
  while (unhashed.length > 0) {
    const unfinished: string[] = [];
    for (const podcastId of unhashed) {
      if (signal?.aborted === true || performance.now() > endsAtMs) return;
      if (unhashed === podcastIds) turns.hashed = podcastId;
      const isMore = await tryShow(ctx, podcastId, (tx) => hashTold(tx, present, podcastId));
      if (isMore === true) unfinished.push(podcastId);
    }
    unhashed = unfinished;
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
