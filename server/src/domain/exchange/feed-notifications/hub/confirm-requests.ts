import { collectBytes } from '../../../../lib/byte-collector.ts';
import { newSecretToken } from '../../../../lib/secret-token.ts';
import { OutboundError } from '../../../../platform/outbound-http/outbound-http.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import { renewClaims, Sender, type SendQueue } from '../../../foundation/sending/index.ts';
import { findPublicPodcast } from '../../../public/catalogue/index.ts';
import { servedAtFeed } from '../served-feed.ts';
import { withHubParameters } from './hub-request.ts';
import {
  beginAsking,
  claimHubRequests,
  endAsking,
  type HubClaim,
  hasDueRequests,
  releaseHubRequest,
  releaseLostRequests,
  tidyRequests,
} from './hub-requests.sql.ts';
import {
  deleteSubscription,
  isFull,
  lockSubscriptions,
  putSubscription,
} from './hub-subscriptions.sql.ts';

/** Short: a client that names silent hosts adds as many as time out. */
const limits = { connectTimeoutMs: 3_000, timeoutMs: 5_000 };
/** The challenge alone is expected. */
const mostResponseBytes = 1_000;
const pauseMs = 5_000;

/** Asks callbacks whether they want what was requested for them (NOTIFY-4, WebSub 5.3). */
export function createRequestConfirmer(
  ctx: Context,
  signal: AbortSignal,
): Sender<'regular', HubClaim> {
  const queue: SendQueue<'regular', HubClaim> = {
    delayed: 'confirmations of subscriptions to feeds are delayed',
    // More than a network can keep busy: 10 requests a second (LIM-23), 5 seconds each.
    places: { regular: 128 },
    placesPerHost: 4,
    schedule: async () => undefined,
    findDue: async () => ((await hasDueRequests(ctx.db, ctx.clock.now())) ? ['regular'] : []),
    claim: (_, request) => claimHubRequests(ctx.db, request),
    renew: (ids, until) => renewClaims(ctx.db, 'hub_requests', ids, until),
    releaseLost: (now) => releaseLostRequests(ctx.db, now),
    tidy: (now) => tidyRequests(ctx.db, now),
    send: (claim, held) => confirmRequest(ctx, claim, held),
  };
  return new Sender(ctx, queue, signal);
}

/** Throws only for failures that are ours. */
async function confirmRequest(ctx: Context, claim: HubClaim, signal: AbortSignal): Promise<void> {
  try {
    const askedAt = ctx.clock.now();
    if (!(await beginAsking(ctx.db, claim, askedAt))) return;
    const reason = claim.mode === 'subscribe' ? await whyDenied(ctx, claim) : undefined;
    const isConfirmed = reason === undefined && (await askCallback(ctx, claim, signal));
    const denial = reason ?? (await store(ctx, claim, isConfirmed, askedAt));
    if (denial !== undefined) await denyCallback(ctx, claim, denial, signal);
  } catch (error) {
    // If the database is away, it becomes due again when the claim ends.
    const dueAt = new Date(ctx.clock.now().getTime() + (signal.aborted ? 0 : pauseMs));
    await releaseHubRequest(ctx.db, claim, dueAt).catch(() => undefined);
    if (!signal.aborted) throw error;
  }
}

const isFullReason = 'This feed, or this domain of a callback, has too many subscriptions.';

/** Why a subscription isn't possible, before the callback is asked. */
async function whyDenied(ctx: Context, claim: HubClaim): Promise<string | undefined> {
  const show = await findPublicPodcast(ctx, claim.podcastId);
  if ((await servedAtFeed(ctx, show)).kind !== 'feed') {
    await endAsking(ctx.db, claim);
    return 'This feed is not public any more.';
  }
  if (!(await isFull(ctx.db, claim, ctx.clock.now()))) return undefined;
  await endAsking(ctx.db, claim);
  return isFullReason;
}

/** Stores what the callback has confirmed. Resolves to a reason if it is denied nevertheless. */
function store(
  ctx: Context,
  claim: HubClaim,
  isConfirmed: boolean,
  askedAt: Date,
): Promise<string | undefined> {
  return transact(ctx, async (tx) => {
    if (!(await endAsking(tx.db, claim)) || !isConfirmed) return undefined;
    await lockSubscriptions(tx.db, claim.podcastId);
    if (claim.mode === 'unsubscribe') {
      await deleteSubscription(tx.db, claim);
      return undefined;
    }
    const now = tx.clock.now();
    if (await isFull(tx.db, claim, now)) return isFullReason;
    // Measured from the question (WebSub 5.3).
    const expiresAt = new Date(askedAt.getTime() + claim.leaseSeconds * 1_000);
    await putSubscription(tx.db, claim, { now, expiresAt });
    return undefined;
  });
}

/** Whether the callback responds 2xx with the challenge alone. */
async function askCallback(
  ctx: Context,
  { mode, topic, callback, leaseSeconds }: HubClaim,
  signal: AbortSignal,
): Promise<boolean> {
  const challenge = newSecretToken();
  const url = withHubParameters(callback, {
    'hub.mode': mode,
    'hub.topic': topic,
    'hub.challenge': challenge,
    ...(mode === 'subscribe' ? { 'hub.lease_seconds': `${leaseSeconds}` } : {}),
  });
  return (await requestCallback(ctx, url, signal)) === challenge;
}

/** Tells the callback that the subscription isn't possible (WebSub 5.2). */
async function denyCallback(
  ctx: Context,
  { topic, callback }: HubClaim,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  const denial = { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': reason };
  await requestCallback(ctx, withHubParameters(callback, denial), signal);
}

/** The body of a 2xx; undefined for everything else. Rejects if the signal aborts. */
async function requestCallback(
  { outbound }: Context,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const rules = { maxBytes: mostResponseBytes, maxRedirects: 0, httpWithinAllowOnly: true };
    const response = await outbound.request(url, { ...rules, ...limits, signal });
    if (response.status < 200 || response.status > 299) {
      response.body.destroy();
      return undefined;
    }
    return (await collectBytes(response.body)).toString();
  } catch (error) {
    if (error instanceof OutboundError && !signal.aborted) return undefined;
    throw error;
  }
}
