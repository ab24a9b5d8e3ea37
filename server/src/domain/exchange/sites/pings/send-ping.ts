import type { Context } from '../../../foundation/context.ts';
import { retryAfter } from '../../../foundation/sending/index.ts';
import { mostReconciliations, reconcileSite } from '../feed/reconcile-site.ts';
import type { Limited } from '../feed/site-queue.ts';
import { type PingLimits, postPing } from './post-ping.ts';
import {
  beginPing,
  endFailedPing,
  endNeedlessPing,
  endSentPing,
  type PingClaim,
  type PingToSend,
  releasePing,
} from './queue.sql.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The pauses after each failure in a row, in seconds (SITE-41); after the last one there is no
 * retry.
 */
const delaysSeconds = [
  ...[minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour],
  ...Array.from({ length: 7 }, () => day),
];

/** The pause after a failure of ours. */
const pauseMs = 60_000;

export interface Sending {
  readonly signal: AbortSignal;
  readonly counts: PingCounts;
  readonly limits?: PingLimits | undefined;
  /** Runs only few of these at once, because they use the database. */
  readonly limited: Limited;
}

/**
 * Sends a claimed ping if the site's feed has something that the site was not told and has not
 * requested, and stores the result. It throws only for failures that are ours.
 */
export async function sendPing(ctx: Context, claim: PingClaim, sending: Sending): Promise<void> {
  const { signal, counts, limits, limited } = sending;
  try {
    const ping = await prepare(ctx, claim, limited, signal);
    if (ping === undefined) return;
    const error = await postPing(ctx, { ...ping, siteId: claim.siteId }, { signal, limits });
    if (error === undefined) {
      counts.sent += 1;
      await endSentPing(ctx.db, claim, ping.seq);
    } else {
      counts.failed += 1;
      await recordFailure(ctx, claim, ping, error);
    }
  } catch (error) {
    // If the database is away, the ping becomes due again when the claim ends.
    const now = ctx.clock.now().getTime();
    const dueAt = new Date(signal.aborted ? now : now + pauseMs);
    await releasePing(ctx.db, claim, dueAt).catch(() => undefined);
    if (!signal.aborted) throw error;
  }
}

/** Undefined if there is nothing to send; the claim is then released. */
async function prepare(
  ctx: Context,
  claim: PingClaim,
  limited: Limited,
  signal: AbortSignal,
): Promise<PingToSend | undefined> {
  for (let turn = 0; turn < mostReconciliations; turn += 1) {
    signal.throwIfAborted();
    // Not as one: all sites of a user would wait for each other at the places of other users.
    const { isBehind } = await reconcileSite(ctx, claim.siteId, limited);
    const ping = await limited(() => beginPing(ctx.db, claim, ctx.clock.now()));
    if (ping !== undefined) return ping;
    if (isBehind) continue;
    await endNeedlessPing(ctx.db, claim);
    return undefined;
  }
  // The site's shows change faster than they are compared.
  await releasePing(ctx.db, claim, ctx.clock.now());
  return undefined;
}

async function recordFailure(
  ctx: Context,
  claim: PingClaim,
  ping: PingToSend,
  error: string,
): Promise<void> {
  const at = ctx.clock.now();
  const failures = ping.failures + 1;
  const retryAt = retryAfter(delaysSeconds, failures, at);
  await endFailedPing(ctx.db, claim, { failures, at, retryAt, error });
  const fields = { siteId: claim.siteId, failures, reason: error };
  if (retryAt === null) ctx.log.info(fields, 'a site gets no more pings until it calls');
  else ctx.log.debug(fields, 'a ping did not arrive and will be retried');
}

/** Pings that this process has sent since its start, for metrics. */
export class PingCounts {
  sent = 0;
  failed = 0;
}
