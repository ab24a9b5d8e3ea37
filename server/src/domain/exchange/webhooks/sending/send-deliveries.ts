import pLimit from 'p-limit';
import { webhookDeliveries, webhookResponses, webhookRetryDays } from '../../../../lib/limits.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { retryAfter } from '../../../foundation/sending/index.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { trimDeliveries } from '../deliveries.sql.ts';
import { isOpenToWebhooks } from '../told/compare-show.ts';
import type { WebhookPresenter } from '../webhook.ts';
import { cancelWaiting, wakeDeliveries } from '../webhooks.sql.ts';
import { type DeliveryRate, timeOfNextRequest, usualDeliveryRate } from './delivery-rate.ts';
import { hasFailedLately, lockFailing, setFailingSince } from './failures.sql.ts';
import { giveUpWebhook } from './give-up.ts';
import { type DeliveryLimits, postDelivery } from './post-delivery.ts';
import { presentDelivery } from './present-delivery.ts';
import {
  type Attempted,
  beginAttempt,
  type DeliveryToSend,
  endDeliveredAttempt,
  endDropped,
  endFailedAttempt,
  releaseWebhook,
  selectNextDeliveries,
  type WebhookClaim,
} from './queue.sql.ts';
import type { WebhookCounts } from './webhook-counts.ts';

const minute = 60;
const hour = 60 * minute;
const tryForMs = webhookRetryDays * 24 * hour * 1000;

/**
 * The pauses after each failure of a delivery, in seconds. The last attempt is three days after the
 * first one (HOOK-9).
 */
const delaysSeconds = [
  ...[minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour],
  ...Array.from({ length: 10 }, () => 12 * hour),
];

/** At once to one webhook. A claim lasts longer than two rounds of them, and the time for one claim. */
const deliveriesAtOnce = 3;
const deliveriesPerRound = 6;
/** After this, other webhooks have their turn. */
const turnMs = 20_000;
/** After a full minute, by how much each delivery of a turn puts off the next turn. */
const afterEachMs = 1_000;
/** The pause after a failure of ours. */
const pauseMs = 60_000;

/** HOOK-11. */
const kept = { responses: webhookResponses, deliveries: webhookDeliveries };

export interface DeliverySending {
  readonly signal: AbortSignal;
  readonly present: WebhookPresenter;
  readonly counts: WebhookCounts;
  readonly limits?: DeliveryLimits | undefined;
  readonly rate?: DeliveryRate | undefined;
  /** Runs only few of these at once, because they use the database. */
  readonly limited: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Sends what a claimed webhook has to send, for a while, and stores the results. It throws only for
 * failures that are ours.
 */
export async function sendDeliveries(
  ctx: Context,
  claim: WebhookClaim,
  sending: DeliverySending,
): Promise<void> {
  const { signal } = sending;
  try {
    const show = await findPublicPodcast(ctx, claim.podcastId);
    const { webhookId, isOff, isWoken } = claim;
    const onlyTests = isOff || show === undefined || !isOpenToWebhooks(show);
    if (isOff) await cancelWaiting(ctx.db, webhookId);
    if (isWoken) await wakeDeliveries(ctx.db, webhookId, ctx.clock.now());
    const notBefore = await sendRounds(ctx, claim, sending, onlyTests);
    await trimDeliveries(ctx.db, webhookId, kept);
    await releaseWebhook(ctx.db, claim, ctx.clock.now(), { onlyTests, notBefore });
  } catch (error) {
    // If the database is away, the webhook becomes due again when the claim ends.
    const now = ctx.clock.now();
    const notBefore = signal.aborted ? now : new Date(now.getTime() + pauseMs);
    const released = releaseWebhook(ctx.db, claim, now, { onlyTests: false, notBefore });
    await released.catch(() => undefined);
    if (!signal.aborted) throw error;
  }
}

/** When its next turn may begin, if its host gets no more requests now. */
async function sendRounds(
  ctx: Context,
  claim: WebhookClaim,
  sending: DeliverySending,
  onlyTests: boolean,
): Promise<Date | undefined> {
  const endsAtMs = performance.now() + turnMs;
  const atOnce = pLimit(deliveriesAtOnce);
  let sent = 0;
  while (performance.now() < endsAtMs) {
    sending.signal.throwIfAborted();
    const next = { limit: deliveriesPerRound, onlyTests };
    const now = ctx.clock.now();
    const ids = await selectNextDeliveries(ctx.db, claim.webhookId, now, next);
    if (ids.length === 0) return undefined;
    // All end before a failure of ours is thrown: the claim is released only then.
    const results = await Promise.allSettled(
      ids.map((id) => atOnce(() => sendDelivery(ctx, claim, id, sending))),
    );
    const failure = results.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
    const ended = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    sent += ended.filter((end) => end === 'ended').length;
    const full = ended.find((end) => end instanceof Date);
    // Webhooks that had less of the host's minute have their turn before this one.
    if (full !== undefined) return new Date(full.getTime() + sent * afterEachMs);
    // The show was hidden, or the claim has ended.
    if (ended.includes('nothing')) return undefined;
  }
  return undefined;
}

/** `nothing`: nothing more can be sent now. A time: nothing can be sent to this host before. */
async function sendDelivery(
  ctx: Context,
  claim: WebhookClaim,
  id: string,
  { signal, present, counts, limits, limited, rate = usualDeliveryRate }: DeliverySending,
): Promise<'ended' | 'nothing' | Date> {
  signal.throwIfAborted();
  const prepared = await limited(async () => {
    // Before the attempt begins: later changes are still merged with what waits here.
    const nextAt = await timeOfNextRequest(ctx, claim, rate);
    if (nextAt !== undefined) return nextAt;
    const delivery = await beginAttempt(ctx.db, claim, id, ctx.clock.now());
    if (delivery === undefined) return undefined;
    return { delivery, made: await presentDelivery(ctx, present, claim.podcastId, delivery) };
  });
  if (prepared === undefined) return 'nothing';
  if (prepared instanceof Date) return prepared;
  const { delivery, made } = prepared;
  if (made === 'hidden') return 'nothing';
  if (made === 'gone') {
    await endDropped(ctx.db, claim, id);
    return 'ended';
  }
  const attempted = await postDelivery(ctx, delivery, made.body, { signal, limits });
  const { status } = attempted;
  if (status !== null && status >= 200 && status < 300) {
    counts.delivered += 1;
    await endDeliveredAttempt(ctx.db, claim, delivery, attempted);
  } else {
    counts.failed += 1;
    await transact(ctx, (tx) => recordFailure(tx, claim, delivery, attempted));
  }
  return 'ended';
}

/** Switches the webhook off after three days in which everything has failed (HOOK-10). */
async function recordFailure(
  tx: Context,
  claim: WebhookClaim,
  delivery: DeliveryToSend,
  attempted: Attempted,
): Promise<void> {
  const webhook = await lockFailing(tx.db, claim);
  if (webhook === undefined) return;
  const { triedAt } = delivery;
  const isTest = delivery.type === 'ping';
  const retryAt = isTest ? null : retryOf(delivery, tx.clock.now());
  await endFailedAttempt(tx.db, delivery.id, attempted, retryAt);
  if (isTest || webhook.offReason !== null) return;
  const since = earliest(webhook.failingSince ?? triedAt, triedAt);
  if (triedAt.getTime() - since.getTime() < tryForMs)
    return await setFailingSince(tx.db, claim.webhookId, since);
  if (await hasFailedLately(tx.db, claim.webhookId, since, delivery))
    await giveUpWebhook(tx, claim, since);
  else await setFailingSince(tx.db, claim.webhookId, triedAt);
}

/** Null: three days have passed since the first attempt. */
function retryOf({ attempts, firstTriedAt, triedAt }: DeliveryToSend, now: Date): Date | null {
  const lastAtMs = firstTriedAt.getTime() + tryForMs;
  if (triedAt.getTime() >= lastAtMs) return null;
  const nextAt = retryAfter(delaysSeconds, Math.min(attempts, delaysSeconds.length), now);
  return new Date(Math.min(nextAt?.getTime() ?? lastAtMs, lastAtMs));
}

/** A time in the future is one before the clock was set back. */
const earliest = (one: Date, other: Date) => (one < other ? one : other);
