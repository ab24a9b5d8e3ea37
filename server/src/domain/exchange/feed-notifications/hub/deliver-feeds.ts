import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Context } from '../../../foundation/context.ts';
import { type FailureLane, Sender, type SendQueue } from '../../../foundation/sending/index.ts';
import { feedContentType } from '../../../public/feeds/index.ts';
import type { NotificationCounts } from '../notification-counts.ts';
import { storeTold, tell, withRow } from '../tell.ts';
import { endNeedless, endUnwanted, releaseLostRows, selectToldWork } from '../told-rows.sql.ts';
import { FeedBodies, type FeedBody } from './feed-bodies.ts';
import {
  beginDelivery,
  claimDeliveries,
  type DeliveryClaim,
  deleteExpiredSubscriptions,
  deleteSubscription,
  isAlive,
  subscriptionTable,
} from './hub-subscriptions.sql.ts';

const limits = { connectTimeoutMs: 5_000, timeoutMs: 30_000, maxRedirects: 0 };
/** The subscriber has ended the subscription (WebSub 7). */
const gone = 410;

export interface Delivering {
  readonly signal: AbortSignal;
  readonly counts: NotificationCounts;
}

/** Sends changed feeds to the callbacks of their subscribers. */
export function createFeedDeliverer(
  ctx: Context,
  { signal, counts }: Delivering,
): Sender<FailureLane, DeliveryClaim> {
  const bodies = new FeedBodies();
  const queue: SendQueue<FailureLane, DeliveryClaim> = {
    delayed: 'deliveries of feeds to subscribers are delayed',
    places: { regular: 128, retry: 16 },
    placesPerHost: 8,
    schedule: async () => undefined,
    findDue() {
      const now = ctx.clock.now();
      return selectToldWork(ctx.db, subscriptionTable, isAlive(now), now);
    },
    claim: (lane, request) => claimDeliveries(ctx.db, lane, request),
    async releaseLost(now) {
      await releaseLostRows(ctx.db, subscriptionTable, now);
      await deleteExpiredSubscriptions(ctx.db, now);
    },
    send: (claim) => deliverFeed(ctx, claim, bodies, { signal, counts }),
  };
  return new Sender(ctx, queue, signal);
}

/** Throws only for failures that are ours. */
function deliverFeed(
  ctx: Context,
  claim: DeliveryClaim,
  bodies: FeedBodies,
  { signal, counts }: Delivering,
): Promise<void> {
  const table = subscriptionTable;
  const row = { ...claim, who: claim.callbackHash };
  return withRow(ctx, table, row, signal, async () => {
    const { podcastId, digest } = claim;
    if (digest === null) return await endNeedless(ctx.db, table, row);
    await bodies.use(ctx, { podcastId, digest }, async (body) => {
      if (body === undefined) return await endUnwanted(ctx.db, table, row);
      // After the wait for the feed, because the claim may have ended.
      const next = await beginDelivery(ctx.db, row, ctx.clock.now());
      if (next === undefined) return await endNeedless(ctx.db, table, row);
      const request = {
        method: 'POST',
        headers: await headersOf(body, next.secret),
        body: body.pieces,
        httpWithinAllowOnly: true,
        ...limits,
      } as const;
      const told = await tell(ctx, next.callback, request, signal);
      // A feed that has changed since the claim is due again.
      const telling = { ...next, table, row, label: 'subscriber', digest };
      await storeTold(ctx, telling, told, counts);
      if (told.status === gone) await deleteSubscription(ctx.db, claim);
    });
  });
}

/** The headers of a delivery (NOTIFY-5, WebSub 7). */
async function headersOf(
  { link, pieces }: FeedBody,
  secret: string | null,
): Promise<Record<string, string>> {
  const headers = {
    'Content-Type': feedContentType,
    ...(link === undefined ? {} : { Link: link }),
  };
  if (secret === null) return headers;
  const signature = await oneAtATime(() => sign(pieces, secret));
  return { ...headers, 'X-Hub-Signature': `sha256=${signature}` };
}

/** Many at once would leave the event loop no time between them. */
const oneAtATime = pLimit(1);

/** A feed of a megabyte takes milliseconds; other tasks run between its pieces. */
async function sign(pieces: readonly Buffer[], secret: string): Promise<string> {
  const hmac = createHmac('sha256', secret);
  for (const piece of pieces) {
    hmac.update(piece);
    await setImmediate();
  }
  return hmac.digest('hex');
}
